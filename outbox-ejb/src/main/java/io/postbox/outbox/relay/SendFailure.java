package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.common.text.Storable;
import io.postbox.outbox.message.StoredMessage;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages were not sent, or it is not known whether they were. */
public final class SendFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** The party at fault. */
  public enum Fault {
    /** The destination's, or the whole broker's: messages wait, no attempt is charged. */
    DESTINATION,
    /** This message's: it cannot be sent in any state of the broker. */
    MESSAGE,
    /** None: the broker already has this message, and therefore rejected the whole batch. */
    DUPLICATE,
    /** Undecided: the exception alone does not show it. */
    UNKNOWN,
    /** None: another node has the messages now. */
    CLAIM_LOST
  }

  private final Fault fault;
  private final @Nullable UUID culprit;

  private SendFailure(Fault fault, @Nullable UUID culprit, String why, @Nullable Throwable cause) {
    super(Storable.printable(why), cause);
    this.fault = fault;
    this.culprit = culprit;
  }

  /** Nothing can be sent to this destination. */
  public static SendFailure ofDestination(String why, @Nullable Throwable cause) {
    return new SendFailure(Fault.DESTINATION, null, why, cause);
  }

  /** This message cannot be sent as it is. */
  public static SendFailure ofMessage(
      StoredMessage message, String why, @Nullable Throwable cause) {
    return new SendFailure(Fault.MESSAGE, message.envelope().id(), why, cause);
  }

  /** The broker rejected this message as a duplicate, so it counts as sent. */
  public static SendFailure duplicate(StoredMessage message, String why, Throwable cause) {
    return new SendFailure(Fault.DUPLICATE, message.envelope().id(), why, cause);
  }

  /** The batch as a whole failed. */
  public static SendFailure unknown(String why, @Nullable Throwable cause) {
    return new SendFailure(Fault.UNKNOWN, null, why, cause);
  }

  /** The messages were not sent, because another node has them or has settled them. */
  public static SendFailure claimLost(String why) {
    return new SendFailure(Fault.CLAIM_LOST, null, why, null);
  }

  /** The party at fault. */
  public Fault fault() {
    return fault;
  }

  /** Whether the broker, or the way to it, may be at fault. */
  public boolean mayBeOfTheBroker() {
    return fault == Fault.DESTINATION || fault == Fault.UNKNOWN;
  }

  /**
   * Whether a connection to the broker may be broken. Not if a message was at fault, and nothing
   * else failed after that.
   */
  boolean mayHaveBrokenAConnection() {
    return mayBeOfTheBroker() || getSuppressed().length > 0;
  }

  /** Whether the batch is known to have failed because of this message. */
  boolean blames(StoredMessage message) {
    return message.envelope().id().equals(culprit);
  }

  /** The text for the row and the log. */
  String reason() {
    return String.valueOf(getMessage());
  }

  /** The recorded error. */
  RecordedError error() {
    return RecordedError.of(reason(), getCause());
  }
}
