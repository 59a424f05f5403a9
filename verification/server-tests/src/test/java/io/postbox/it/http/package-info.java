/** Repeated HTTP requests. */
@NullMarked
package io.postbox.it.http;

import org.jspecify.annotations.NullMarked;
