package io.postbox.inbox.receiver;

import java.time.Duration;

/**
 * A retry of a message after a delay.
 *
 * @param messageId the message's id
 * @param delay how long the broker holds the copy back
 * @param waitedFor how many failures of its handler this and earlier delays are for
 * @param waits how often the message was too early in the order of its aggregate
 */
public record DelayedRetry(String messageId, Duration delay, int waitedFor, int waits) {}
