/**
 * Checks the caller's message, assigns its partition, and writes its row in the caller's
 * transaction.
 */
@NullMarked
package io.postbox.outbox.enqueue;

import org.jspecify.annotations.NullMarked;
