package io.postbox.inbox.message;

/**
 * Where an aggregate stands in a consumer's order.
 *
 * @param first the version with which it began
 * @param version the version that was handled last
 * @param isNew whether it was unknown, so that this transaction has inserted its row
 * @param isAwaited whether later versions wait for the next one
 */
public record Standing(long first, long version, boolean isNew, boolean isAwaited) {}
