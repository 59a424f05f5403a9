/** Retention: what the inbox forgets, and that its housekeeping ends with the application. */
@NullMarked
package io.postbox.it.retention;

import org.jspecify.annotations.NullMarked;
