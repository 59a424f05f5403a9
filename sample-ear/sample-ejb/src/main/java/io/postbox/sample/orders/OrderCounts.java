package io.postbox.sample.orders;

/**
 * How many orders there are.
 *
 * @param total all of them
 * @param shipped those whose shipment is known
 */
public record OrderCounts(long total, long shipped) {}
