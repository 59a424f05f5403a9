package io.postbox.inbox;

import io.postbox.common.Erasure;

/**
 * Erases personal data from the inbox: the contents of stored messages of any state, the headers of
 * handled ones, replies, stored HTTP responses and results of outside effects, the texts of
 * failures, and what operators' records say of a target. Injectable, thread-safe. Inject this type
 * and not {@link Erasure}, of which each of the two modules has a bean.
 *
 * <p>Ids, times and fingerprints of handled messages stay, so that a duplicate of an erased message
 * is skipped; it gets no reply any more. A message that is captured, retried or parked is
 * discarded, in its place in the order; its handler never sees it. A call with {@link
 * InboxContext#once} that was made is not repeated, and returns an empty text from then on.
 *
 * <p>Messages are found by id and by the data subject that their sender named, through indexes. By
 * aggregate, captured, retried and handled messages have none, because it would cost every
 * delivery: they are read through once. An erasure by aggregate also makes consumers with {@code
 * order=version} forget the aggregate's version.
 */
public interface InboxErasure extends Erasure {}
