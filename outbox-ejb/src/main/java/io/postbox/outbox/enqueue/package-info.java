/** From the caller's message, in the caller's transaction, to a row: checked, placed, written. */
@NullMarked
package io.postbox.outbox.enqueue;

import org.jspecify.annotations.NullMarked;
