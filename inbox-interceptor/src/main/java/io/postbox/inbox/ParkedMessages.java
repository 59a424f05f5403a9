package io.postbox.inbox;

/**
 * The messages that the inbox parked because their handlers failed too often or rejected them.
 * Injectable, thread-safe.
 *
 * <p>{@link #redrive} sends each message with its id, body and properties to the consumer's {@code
 * retry-destination}, or else to the destination it was received from, and deletes its recorded
 * failures: the handler gets all attempts again. Consumers of other names that listen there skip
 * the message, while listeners without {@link Inbox} receive it again, as all subscribers of a
 * topic do. If no bean of this application has the consumer's name, the inbox assumes that the
 * consumer was renamed, and the listener at that destination handles the message. A message that
 * was handled or discarded meanwhile is sent too, and the inbox skips it.
 *
 * <p>{@link #discard} remembers the messages' ids as {@code DISCARDED}, so that the inbox skips a
 * late copy. If the consumer has {@code order=version}, the inbox passes over a discarded version
 * when its turn comes, and handles the versions behind it.
 *
 * <pre>{@code
 * KeptPlan plan =
 *     parked.plan(KeptFilter.all().consumer("shipping").errorContains("carrier is down"));
 * if (plan.messages() < 10_000) {
 *   parked.redrive(plan, "the carrier is back, see OPS-17");
 * }
 * }</pre>
 */
public interface ParkedMessages extends KeptMessages<ParkedMessage> {}
