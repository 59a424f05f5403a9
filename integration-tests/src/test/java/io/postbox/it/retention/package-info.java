/** What the inbox forgets, and that its housekeeping goes with the application. */
@NullMarked
package io.postbox.it.retention;

import org.jspecify.annotations.NullMarked;
