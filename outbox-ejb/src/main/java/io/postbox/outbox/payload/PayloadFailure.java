package io.postbox.outbox.payload;

import io.postbox.common.log.RecordedError;
import io.postbox.common.text.Storable;
import org.jspecify.annotations.Nullable;

/** A payload was not resolved, so its message was not sent. */
public final class PayloadFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** The cause of a failure. */
  public enum Fault {
    /** The source: no other payload can be resolved at the moment either. */
    SOURCE,
    /** This node: it lacks what another one may have. */
    NODE,
    /** This message: its payload cannot be resolved whatever the state of the source. */
    MESSAGE,
    /** The exception does not tell. */
    UNKNOWN
  }

  private final Fault fault;

  private PayloadFailure(Fault fault, String why, @Nullable Throwable cause) {
    super(Storable.printable(why), cause);
    this.fault = fault;
  }

  /** No payload of this destination can be resolved at the moment. */
  public static PayloadFailure ofSource(String why, @Nullable Throwable cause) {
    return new PayloadFailure(Fault.SOURCE, why, cause);
  }

  /** This payload cannot be resolved on this node. */
  static PayloadFailure ofNode(String why, @Nullable Throwable cause) {
    return new PayloadFailure(Fault.NODE, why, cause);
  }

  /** This payload cannot be resolved. */
  public static PayloadFailure ofMessage(String why, @Nullable Throwable cause) {
    return new PayloadFailure(Fault.MESSAGE, why, cause);
  }

  /** This payload was not resolved; another one may or may not be. */
  static PayloadFailure unknown(String why) {
    return new PayloadFailure(Fault.UNKNOWN, why, null);
  }

  /** The cause of this failure. */
  public Fault fault() {
    return fault;
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
