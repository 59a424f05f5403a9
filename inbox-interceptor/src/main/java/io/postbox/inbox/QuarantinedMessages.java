package io.postbox.inbox;

/**
 * The deliveries that the inbox quarantined because they have no usable id, or a known id and other
 * content. Injectable, thread-safe.
 *
 * <p>The inbox stores fewer values for them than for parked messages: a filter with an event type,
 * an aggregate or an error fails with an {@link IllegalArgumentException}.
 *
 * <p>{@link #redrive} sends each message with its body and properties, but under a new id, a UUID,
 * so that it is handled as a message of its own. Check first: with {@code OTHER_CONTENT}, a message
 * with its id was handled already, and both may report the same event.
 *
 * <p>The new id is derived from the consumer, the body, and the id or else the JMSMessageID of the
 * first delivery: several rows of one delivery get one new id (with {@code
 * table-partitioning=daily}, on one day), and the message is handled once.
 *
 * <p>The new id goes where the consumer looks for one: the property {@code OutboxMessageId}, or the
 * one that {@link Inbox#property} names; with {@link IdFrom#JMS_MESSAGE_ID}, the property {@code
 * InboxMessageId}, which the inbox prefers to the header. With {@link IdFrom#RESOLVER} a message
 * cannot be redriven, because the resolver would find the old id. Apart from that, the redrive
 * sends it as described at {@link ParkedMessages}. It stores the new id with the row before it
 * sends the message, so that each copy has the same one.
 */
public interface QuarantinedMessages extends KeptMessages {}
