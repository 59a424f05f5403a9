/** The warehouse: what is in stock, and what left it for which order. */
@NullMarked
package io.postbox.sample.shipping;

import org.jspecify.annotations.NullMarked;
