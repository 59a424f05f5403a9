package io.postbox.inbox.store;

import io.postbox.common.ops.StartReads;
import io.postbox.inbox.message.Schedule;
import io.postbox.inbox.store.CapturedStore.Due;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Finds the captured messages of a consumer that may be handled now. Where it takes long to step
 * over those that are done, as while a handler or a backup keeps an old snapshot, it reads each
 * precedence, and the delayed ones, from a low-water mark. For one reading thread at a time; the
 * rest is thread-safe.
 */
public final class CapturedCandidates {
  private final String consumer;
  private final LongSupplier nanos;
  private final LowWaterMark delayed = new LowWaterMark();
  private volatile List<LowWaterMark> byPrecedence = List.of(); // none: all in one statement
  private long aboveDue;
  private long aboveIds = 1;

  /**
   * @param consumer whose messages
   * @param nanos the monotonic clock
   */
  public CapturedCandidates(String consumer, LongSupplier nanos) {
    this.consumer = consumer;
    this.nanos = nanos;
  }

  /**
   * The ids of the next messages: delayed ones whose time has come, and pending ones by priority
   * and age.
   *
   * @param connection commits each statement
   * @param withReplies also handled ones, whose reply is to be sent
   * @param limit the most of each kind
   */
  public List<Long> read(CapturedStore store, Connection connection, boolean withReplies, int limit)
      throws SQLException {
    List<Long> ids = due(store, connection, withReplies, limit);
    ids.addAll(
        byPrecedence.isEmpty()
            ? pending(store, connection, limit)
            : pendingFromMarks(store, connection, limit));
    return ids;
  }

  private List<Long> due(CapturedStore store, Connection connection, boolean withReplies, int limit)
      throws SQLException {
    long begun = nanos.getAsLong();
    long from = delayed.from(begun);
    List<Due> due =
        store.due(
            connection,
            consumer,
            withReplies,
            from == LowWaterMark.START ? null : Instant.EPOCH.plus(from, ChronoUnit.MICROS),
            limit);
    for (Due message : due) {
      aboveDue = Math.max(aboveDue, place(message) + 1);
    }
    delayed.read(from, due.isEmpty() ? aboveDue : place(due.get(0)), begun, nanos.getAsLong());
    return new ArrayList<>(due.stream().map(Due::id).toList());
  }

  private static long place(Due message) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, message.at());
  }

  private List<Long> pending(CapturedStore store, Connection connection, int limit)
      throws SQLException {
    long begun = nanos.getAsLong();
    List<Long> ids = store.pending(connection, consumer, limit);
    ids.forEach(this::note);
    if (StartReads.isCostly(Duration.ofNanos(nanos.getAsLong() - begun))) {
      List<LowWaterMark> marks = new ArrayList<>();
      for (int precedence = 0; precedence <= Schedule.HIGHEST_PRIORITY; precedence++) {
        marks.add(new LowWaterMark());
      }
      byPrecedence = List.copyOf(marks);
    }
    return ids;
  }

  private List<Long> pendingFromMarks(CapturedStore store, Connection connection, int limit)
      throws SQLException {
    List<LowWaterMark> marks = byPrecedence;
    List<Long> all = new ArrayList<>();
    for (int precedence = 0; precedence < marks.size() && all.size() < limit; precedence++) {
      LowWaterMark mark = marks.get(precedence);
      long begun = nanos.getAsLong();
      long from = mark.from(begun);
      List<Long> ids = store.pending(connection, consumer, precedence, from, limit - all.size());
      ids.forEach(this::note);
      mark.read(from, ids.isEmpty() ? aboveIds : ids.get(0), begun, nanos.getAsLong());
      all.addAll(ids);
    }
    if (marks.stream().noneMatch(LowWaterMark::isCostly)) {
      byPrecedence = List.of();
    }
    return all;
  }

  private void note(long id) {
    aboveIds = Math.max(aboveIds, id + 1);
  }

  /**
   * Has the next read find a message whose turn has ended with something left to do, and the one
   * behind it with its ordering key.
   */
  public void ended(long id) {
    byPrecedence.forEach(mark -> mark.lower(id));
  }
}
