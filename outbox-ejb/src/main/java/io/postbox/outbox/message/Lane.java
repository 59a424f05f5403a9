package io.postbox.outbox.message;

/**
 * The unit of the relay's work: the messages of one partition to one destination.
 *
 * @param partition its row lock is the claim
 * @param destination the logical name
 */
public record Lane(int partition, String destination) {}
