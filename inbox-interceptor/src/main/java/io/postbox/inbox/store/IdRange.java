package io.postbox.inbox.store;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which ids {@code inbox_message} has a place for: all, unless it is divided by day. Asked before
 * each insert, so the answer comes from memory; what it rests on is read again with each round of
 * housekeeping. Thread-safe.
 */
public final class IdRange {
  private static final Pattern VERSION_7 =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

  private volatile @Nullable Bounds bounds;

  /** The place for an id. */
  public enum Place {
    /** A place. */
    STORABLE,
    /** None any more: whether it was handled before cannot be known. */
    TOO_OLD,
    /** None ever: it is no UUID of version 7, or its time is days ahead of the database's. */
    NOT_TIME_ORDERED,
    /** None yet, because tables could not be made in time: the message has to be redelivered. */
    NOT_READY
  }

  /**
   * The range of ids with tables.
   *
   * @param from no id is in front of this
   * @param until every id is in front of this
   * @param complete whether there are tables for as many days ahead as there should be
   */
  record Bounds(String from, String until, boolean complete) {}

  /** From now on, ids must be within bounds. */
  void limit(Bounds to) {
    bounds = to;
  }

  /** The place for an id. */
  public Place of(String messageId) {
    Bounds now = bounds;
    if (now == null) {
      return Place.STORABLE;
    }
    if (!VERSION_7.matcher(messageId).matches()) {
      return Place.NOT_TIME_ORDERED;
    }
    if (messageId.compareTo(now.from) < 0) {
      return Place.TOO_OLD;
    }
    if (messageId.compareTo(now.until) < 0) {
      return Place.STORABLE;
    }
    return now.complete ? Place.NOT_TIME_ORDERED : Place.NOT_READY;
  }
}
