package io.postbox.inbox.receiver;

import java.time.Duration;

/**
 * A retry of a message after a delay.
 *
 * @param messageId the id under which it is known
 * @param delay how long it stays away
 * @param waitedFor how many failures of its handler the delay is for, with those before
 * @param waits how often it came too early in the order of its aggregate
 */
public record DelayedRetry(String messageId, Duration delay, int waitedFor, int waits) {}
