package io.postbox.common;

import java.time.Instant;

/**
 * A policy that an operator has set while the servers run.
 *
 * @param <P> what the module's operators may set
 * @param name of the destination or consumer
 * @param policy the parts that are not as configured
 * @param reason the operator's
 * @param principal the operator
 * @param since when it was set, by the database's clock
 */
public record RuntimePolicy<P>(
    String name, P policy, String reason, String principal, Instant since) {}
