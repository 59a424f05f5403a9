package io.postbox.inbox;

/**
 * The result of a skip.
 *
 * @param skipped how many gaps were skipped
 * @param changed how many were left alone, because they had changed since the plan was made
 */
public record SkippedGaps(int skipped, int changed) {}
