package io.postbox.inbox.store;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which ids {@code inbox_message} can store: all, unless the table is partitioned by day. Checked
 * before each insert, so the bounds are in memory; each round of housekeeping reads them again.
 * Thread-safe.
 */
public final class IdRange {
  private static final Pattern VERSION_7 =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

  private volatile @Nullable Bounds bounds;

  /** Whether an id can be stored. */
  public enum Place {
    /** The id can be stored. */
    STORABLE,
    /** The id is too old: the inbox can no longer know whether its message was handled. */
    TOO_OLD,
    /**
     * The id can never be stored: it is no UUID of version 7, or its time is days ahead of the
     * database's.
     */
    NOT_TIME_ORDERED,
    /**
     * The id cannot be stored yet, because its table could not be created in time: the message has
     * to be redelivered.
     */
    NOT_READY
  }

  /**
   * The range of ids with tables.
   *
   * @param from the lower bound
   * @param until the upper bound, exclusive
   * @param complete whether there are tables for as many days ahead as there should be
   */
  record Bounds(String from, String until, boolean complete) {}

  /** Sets the bounds for ids from now on. */
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
