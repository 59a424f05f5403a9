package io.postbox.common;

import java.time.Instant;

/**
 * What an operator has paused.
 *
 * @param name of the destination or consumer
 * @param reason the operator's
 * @param principal the operator
 * @param since when the action took effect, by the database's clock
 */
public record Paused(String name, String reason, String principal, Instant since) {}
