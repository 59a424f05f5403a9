/**
 * Both transaction modes of the inbox and its way back to the broker, on each broker and database.
 */
@NullMarked
package io.postbox.it.modes;

import org.jspecify.annotations.NullMarked;
