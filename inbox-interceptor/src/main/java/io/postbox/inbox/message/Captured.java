package io.postbox.inbox.message;

import java.util.function.Supplier;

/**
 * A captured message that a worker has claimed.
 *
 * @param id its row
 * @param messageId its id
 * @param delivery the message as a delivery to its consumer; its history tells of earlier attempts
 * @param content decrypts the content at its first call; throws what the application's cipher does
 * @param isHandled whether its handler is done, and only the reply is still to be sent
 * @param bytes its stored size
 * @param mayReply whether a reply may be sent to the destination that its sender chose
 */
public record Captured(
    long id,
    String messageId,
    Delivery delivery,
    Supplier<Content> content,
    boolean isHandled,
    long bytes,
    boolean mayReply) {}
