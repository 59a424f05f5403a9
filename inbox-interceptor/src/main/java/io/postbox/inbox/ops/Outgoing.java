package io.postbox.inbox.ops;

import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.StoredRow;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a stored message, to be sent to its consumer.
 *
 * @param stored its row, and the generation of this copy
 * @param consumer the name of its consumer
 * @param destination the destination it was received from, if known
 * @param id its id
 * @param isNewId whether that differs from the id it was received with
 * @param waitedFor how many failures of its handler it has waited for
 * @param replies whether it keeps its reply destination
 * @param content headers, properties and body
 */
public record Outgoing(
    StoredRow stored,
    String consumer,
    @Nullable String destination,
    String id,
    boolean isNewId,
    int waitedFor,
    ReplyOnRedrive replies,
    Content content) {}
