package io.postbox.inbox.ops;

import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Content;
import org.jspecify.annotations.Nullable;

/**
 * A message that an operator redrives.
 *
 * @param consumer the name of its consumer
 * @param destination where it came from, if that is known
 * @param id its new id
 * @param isNewId whether that is another one than it came with
 * @param replies what becomes of where its sender wants the answer
 * @param content all of it
 */
public record Outgoing(
    String consumer,
    @Nullable String destination,
    String id,
    boolean isNewId,
    ReplyOnRedrive replies,
    Content content) {}
