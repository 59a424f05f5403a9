package io.postbox.outbox;

import io.postbox.common.Erasure;

/**
 * Erases personal data from the outbox: the contents of messages that wait, are dead letters, or
 * were sent and kept or archived, the texts of their failures, and what operators' records say of a
 * target. Injectable, thread-safe. Inject this type and not {@link Erasure}, of which each of the
 * two modules has a bean.
 *
 * <p>An erased message that was not sent is never sent: it is discarded, in its place in the order.
 * {@link MessageLookup#life} tells of an erased message when it was erased, as long as its row is
 * kept. Messages are found by id and by {@link OutboxMessage#dataSubject} through indexes. By
 * aggregate, pending messages have none, because it would cost every enqueue and every send: all
 * that is pending is read through once.
 */
public interface OutboxErasure extends Erasure {}
