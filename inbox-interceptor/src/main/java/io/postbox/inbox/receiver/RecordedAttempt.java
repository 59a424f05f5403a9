package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Crashes;
import org.jspecify.annotations.Nullable;

/**
 * A try of a message that has come before, or may have.
 *
 * @param consumer the name of the message's consumer
 * @param messageId its id
 * @param row under which the try is on record; {@code null} if it is not
 * @param isAlone whether no other message that has come before is at work in this process
 * @param mustWait whether this one or another one must be alone, so that it cannot begin now
 * @param crashes the earlier attempts that have not ended
 */
public record RecordedAttempt(
    String consumer,
    String messageId,
    @Nullable Long row,
    boolean isAlone,
    boolean mustWait,
    Crashes crashes) {
  /** The first try of a message, or one of which nothing could be recorded. */
  public static RecordedAttempt unrecorded(String consumer, String messageId) {
    return new RecordedAttempt(consumer, messageId, null, false, false, Crashes.NONE);
  }
}
