package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An ordering key whose first message has failed, so that its other messages wait.
 *
 * @param destination the logical name
 * @param orderingKey the key
 * @param head the message for which the others wait
 * @param headStatus that message's status: {@code DEAD} waits for a person, {@code DELAYED} for a
 *     retry; empty if it has gone since
 * @param signature the signature of that message's last error
 * @param since since when it has held the key, by the database's clock
 * @param draining whether the key is being released, part by part: messages behind the head follow
 * @param waiting how many messages wait, counted up to {@link #MOST_COUNTED}; messages that the
 *     relay has not read yet are not among them
 */
public record HeldOrderingKey(
    String destination,
    String orderingKey,
    UUID head,
    Optional<FoundMessage.Status> headStatus,
    Optional<String> signature,
    Instant since,
    boolean draining,
    long waiting) {
  /** A number that is this large may be larger. */
  public static final int MOST_COUNTED = 1_000;
}
