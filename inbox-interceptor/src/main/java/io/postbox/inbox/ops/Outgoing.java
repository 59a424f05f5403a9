package io.postbox.inbox.ops;

import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Content;
import org.jspecify.annotations.Nullable;

/**
 * A message that is sent by the hand of a person.
 *
 * @param consumer for whom it is
 * @param destination where it came from, if that is known
 * @param id under which it is to be known
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
