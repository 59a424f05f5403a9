package io.postbox.common;

import java.time.Instant;
import java.util.UUID;

/**
 * An action of a person, on record.
 *
 * @param id the entry's id
 * @param at when it was recorded, by the database's clock: in the transaction of the action, or of
 *     its first step
 * @param module {@code outbox} or {@code inbox}
 * @param service the service whose messages it was about
 * @param action for instance {@code redrive}, {@code discard}, {@code pause}
 * @param principal the user; {@code unknown} if no user was logged in
 * @param reason why
 * @param subject the object of the action: a filter, a destination, a message
 * @param messages how many messages it has changed, so far if it is at work
 */
public record AuditEntry(
    UUID id,
    Instant at,
    String module,
    String service,
    String action,
    String principal,
    String reason,
    String subject,
    long messages) {}
