/** The console's REST API, over HTTP, as people with and without its roles meet it. */
@NullMarked
package io.postbox.it.console;

import org.jspecify.annotations.NullMarked;
