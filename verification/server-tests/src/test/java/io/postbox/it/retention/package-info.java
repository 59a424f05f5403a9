/** Retention: the rows that the inbox forgets, and housekeeping that ends with the application. */
@NullMarked
package io.postbox.it.retention;

import org.jspecify.annotations.NullMarked;
