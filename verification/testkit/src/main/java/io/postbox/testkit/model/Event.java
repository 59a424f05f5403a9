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
   * Jobs were to be enqueued, in this order and in one transaction.
   *
   * @param asked when the request left
   * @param destination by its logical name
   * @param key their ordering key; empty if they have none
   * @param isOrdered whether that key is held by a dead letter whatever happens
   * @param ids the ids of their messages; empty if there was no answer: then they may exist, all or
   *     none
   */
  record JobsEnqueued(
      Duration at,
      Duration asked,
      String destination,
      String key,
      boolean isOrdered,
      List<Long> jobs,
      List<String> ids)
      implements Event {
    /** Whether they exist for certain. */
    public boolean isCertain() {
      return !ids.isEmpty();
    }
  }

  /** An operator saw these jobs' messages as dead letters, or parked: each waits for a decision. */
  record JobsSeenKept(Duration at, Duration asked, Place place, List<Long> jobs) implements Event {}

  /** Where a message waits for a decision. */
  enum Place {
    /** A dead letter of the outbox, which is not sent. */
    OUTBOX,
    /** Parked by the inbox, which does not handle it. */
    INBOX
  }

  /**
   * An operator's decision about the messages of jobs.
   *
   * @param at when it was answered or its action had ended
   * @param place where they waited for it
   * @param asked when it was asked for
   * @param first so many of them ahead of the others, which wait for their end; 0 for all at once
   * @param isCertain whether all of it was done; otherwise all, some, or nothing of it
   */
  record JobsDecided(
      Duration at,
      Duration asked,
      Decision decision,
      Place place,
      List<Long> jobs,
      int first,
      boolean isCertain)
      implements Event {}

  /** What an operator does about messages. */
  enum Decision {
    /** To work again, of dead letters and parked messages. */
    REDRIVE,
    /** Never to take effect. */
    DISCARD,
    /** To take effect with {@link #EDITED} at the end of its text. */
    EDIT,
    /** To take effect once more. */
    RESEND;

    /** What an edit adds to a job's text. */
    public static final String EDITED = " edited";
  }

  /**
   * An operator has paused or resumed a destination, for certain.
   *
   * @param at when it was answered
   * @param asked when it was asked for
   */
  record DestinationSwitched(Duration at, Duration asked, String destination, boolean isPaused)
      implements Event {}

  /**
   * An operator's action had come to an end, or to a stand.
   *
   * @param planned how many messages its plan counted
   * @param done how many it has changed
   * @param failed how many it could not change, or that have failed again
   */
  record ActionEnded(
      Duration at, String id, String kind, String state, long planned, long done, long failed)
      implements Event {}

  /**
   * A fault, or what the campaign waited for after it.
   *
   * @param subject the server; empty if it is about all of them
   */
  record Marked(Duration at, String subject, String what) implements Event {}
}
