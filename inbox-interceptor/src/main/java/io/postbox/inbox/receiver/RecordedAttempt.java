package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Crashes;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at a message that is, or may be, a redelivery.
 *
 * @param consumer the name of the message's consumer
 * @param messageId the message's id
 * @param row the row of the attempt; {@code null} if it is not recorded
 * @param isAlone whether no other redelivered message is being handled in this process
 * @param mustWait whether it cannot begin now, because this attempt or another one must run alone
 * @param hasOthers whether other processes have attempts at it on record, which died or go on
 * @param crashes those of them whose process died
 */
public record RecordedAttempt(
    String consumer,
    String messageId,
    @Nullable Long row,
    boolean isAlone,
    boolean mustWait,
    boolean hasOthers,
    Crashes crashes) {
  /** The first attempt at a message, or one that could not be recorded. */
  public static RecordedAttempt unrecorded(String consumer, String messageId) {
    return new RecordedAttempt(consumer, messageId, null, false, false, false, Crashes.NONE);
  }
}
