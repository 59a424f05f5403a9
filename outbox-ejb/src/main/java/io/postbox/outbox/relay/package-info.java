/**
 * Moves rows to the broker. {@code Relay} polls and wakes workers; {@code BatchProcessor} claims a
 * partition, reads a batch of one lane and has it delivered by a {@code DeliveryStrategy}. Claims
 * are in {@code PartitionClaims}. A failure is classified by {@code jms.JmsFailureClassifier},
 * {@code BatchSender} finds the culprit, {@code CircuitBreakers} and {@code PoisonMessageDetector}
 * learn from it, and {@code BatchSettlement} decides on retry or dead letter. Decisions are pure;
 * SQL is in {@code store}, JMS behind {@link io.postbox.outbox.relay.Transport}.
 */
@NullMarked
package io.postbox.outbox.relay;

import org.jspecify.annotations.NullMarked;
