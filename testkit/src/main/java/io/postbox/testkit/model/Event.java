package io.postbox.testkit.model;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Something that a client of the server saw, or did to it. */
public sealed interface Event {
  /** When, since the history began. */
  Duration at();

  /** The order this is about; 0 if it is about none, or nobody knows. */
  default long orderId() {
    return 0;
  }

  /**
   * The server answered 201: from here on this order exists.
   *
   * @param asked when the request left
   */
  record Acknowledged(
      Duration at, Duration asked, long orderId, UUID messageId, String sku, int quantity)
      implements Event {}

  /**
   * No answer, or one that is no promise: this order may exist, once, or not at all.
   *
   * @param status the status that came instead of 201; 0 if none came
   */
  record Unanswered(
      Duration at, Duration asked, String sku, int quantity, int status, String reason)
      implements Event {}

  /** An acknowledged order's first message was asked for again. */
  record Resent(Duration at, long orderId, String answer) implements Event {}

  /**
   * A hostile message was to be sent.
   *
   * @param tag by which it is found again
   * @param isSent whether it was for certain; otherwise it may have been
   */
  record HostileSent(Duration at, HostileMessage kind, UUID tag, boolean isSent) implements Event {}

  /**
   * Versions of an aggregate were to be sent, in this order.
   *
   * @param isSent whether they were for certain; otherwise they may have been, or some of them
   */
  record VersionsSent(Duration at, String aggregate, List<Long> versions, boolean isSent)
      implements Event {}

  /**
   * A fault, or what the campaign waited for after it.
   *
   * @param subject the server; empty if it is about all of them
   */
  record Marked(Duration at, String subject, String what) implements Event {}
}
