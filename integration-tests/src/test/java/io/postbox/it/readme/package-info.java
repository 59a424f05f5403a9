/** What the README shows is compiled. */
@NullMarked
package io.postbox.it.readme;

import org.jspecify.annotations.NullMarked;
