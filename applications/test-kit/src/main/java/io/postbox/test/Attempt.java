package io.postbox.test;

import io.postbox.common.config.Durations;
import io.postbox.inbox.MessageBuffered;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One delivery in a test, and its outcome. Used by the thread that delivers, then read by the test.
 */
final class Attempt {
  private final String messageId;
  private final Duration at;
  private final int deliveries;
  private final List<MessageEvent> events = new ArrayList<>();
  private @Nullable Fault fault;
  private boolean handlerReturned;
  private boolean handlerCalled;
  private boolean committed;
  private boolean acknowledged;
  private @Nullable Throwable cause;

  /** The fault that the test causes at a point. */
  record Fault(Point point, boolean isCrash) {
    @Override
    public String toString() {
      return (isCrash ? "the process crashed " : "it failed ") + point;
    }
  }

  /**
   * @param messageId the message's
   * @param at the time since the test began
   * @param deliveries how often this copy was delivered before
   */
  Attempt(String messageId, Duration at, int deliveries) {
    this.messageId = messageId;
    this.at = at;
    this.deliveries = deliveries;
  }

  void meets(@Nullable Fault met) {
    fault = met;
  }

  void handlerIsCalled() {
    handlerCalled = true;
  }

  void handlerHasReturned() {
    handlerReturned = true;
  }

  void happened(MessageEvent event) {
    events.add(event);
  }

  void ended(Optional<Throwable> rolledBack, boolean isAcknowledged) {
    committed = rolledBack.isEmpty();
    cause = rolledBack.orElse(null);
    acknowledged = isAcknowledged;
  }

  String messageId() {
    return messageId;
  }

  /** Whether the handler was called, so that its effects have begun. */
  boolean isRun() {
    return handlerCalled;
  }

  /** Whether its effects in the database stay. */
  boolean isCommittedRun() {
    return handlerReturned && committed;
  }

  boolean has(Class<? extends MessageEvent> type) {
    return events.stream().anyMatch(type::isInstance);
  }

  /** One line for failure texts. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    line.append("after ").append(Durations.text(at)).append(", ");
    line.append(deliveries == 0 ? "delivered" : "redelivered (" + deliveries + ")");
    line.append(": ").append(handling());
    if (fault != null) {
      line.append("; ").append(fault);
    }
    line.append(committed ? "; committed" : "; rolled back");
    if (!committed && fault == null && cause != null) {
      line.append(" because of ").append(cause);
    }
    return line.append(acknowledged ? "" : "; redelivered")
        .append(" [")
        .append(messageId)
        .append(']')
        .toString();
  }

  private String handling() {
    if (handlerCalled) {
      return handlerReturned ? "the handler ran" : "the handler threw an exception";
    }
    return events.stream()
        .map(Attempt::text)
        .findFirst()
        .orElse(
            fault != null
                ? "the handler was to be called"
                : committed ? "stored until its retry is due" : "the handler did not run");
  }

  private static String text(MessageEvent event) {
    if (event instanceof MessageSkipped skipped) {
      return "skipped (" + skipped.why() + ")";
    }
    if (event instanceof MessageParked parked) {
      return "parked (" + parked.reason() + ", " + parked.error() + ")";
    }
    if (event instanceof MessageQuarantined quarantined) {
      return "quarantined (" + quarantined.reason() + ")";
    }
    if (event instanceof MessageFailed failed) {
      return "failed (" + failed.reason() + ")";
    }
    if (event instanceof MessageBuffered) {
      return "stored until the versions before it are handled";
    }
    return event instanceof MessageProcessed ? "the handler ran" : event.toString();
  }
}
