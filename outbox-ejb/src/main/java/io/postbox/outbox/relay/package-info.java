/**
 * Moves rows to the broker: claim a partition, read what is due, send it, complete it. What decides
 * is pure; what talks is behind {@link io.postbox.outbox.relay.Transport} and the store.
 */
@NullMarked
package io.postbox.outbox.relay;

import org.jspecify.annotations.NullMarked;
