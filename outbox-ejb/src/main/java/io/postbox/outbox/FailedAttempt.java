package io.postbox.outbox;

import java.time.Instant;
import java.util.UUID;

/**
 * A failed attempt to send a message, as it was recorded.
 *
 * @param messageId the message's id
 * @param number which of the message's failures it was, from 1; a redrive does not begin anew
 * @param destination the logical name
 * @param attempt how many attempts had been charged, this one included; a redrive begins anew
 * @param dead whether the message became a dead letter with it
 * @param node the process that made the attempt: its number, its host, and an id of its own
 * @param at when it failed, by the database's clock
 * @param errorClass the class of the innermost exception; empty if there was none
 * @param error the error; with a {@code PayloadCipher} it is stored encrypted
 * @param frame the innermost call of the application; empty if there was none
 * @param signature the same for all errors of one cause, for {@link DeadLetterFilter#signature}
 */
public record FailedAttempt(
    UUID messageId,
    int number,
    String destination,
    int attempt,
    boolean dead,
    String node,
    Instant at,
    String errorClass,
    String error,
    String frame,
    String signature) {}
