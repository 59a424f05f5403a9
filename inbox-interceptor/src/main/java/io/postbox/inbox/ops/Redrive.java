package io.postbox.inbox.ops;

import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.Redriven.Refusal;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRows;
import io.postbox.inbox.store.KeptRows.Row;
import io.postbox.inbox.store.KeptRows.Unreleased;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sends kept messages one by one: deletes the row, sends the message, and commits only then. So
 * after a crash in between the message is sent again, under the same id. For parked messages an
 * earlier transaction deletes their failures and marks their rows, because a handler may fail with
 * the message at once: the inbox must not count the failures for which the message was parked, and
 * must be able to park it again. Not thread-safe.
 */
final class Redrive {
  private static final int MARKED_AT_ONCE = 1_000;
  private static final int MOST_REFUSALS = 100;

  /**
   * After this many refusals of the broker in a row the broker is at fault, and not the messages.
   */
  private static final int PATIENCE = 3;

  private final Kind kind;
  private final KeptRows rows;
  private final KeptContents contents;
  private final KeptSender sender;
  private final ReleasedIds ids;
  private final KeptRun run;
  private final ReplyOnRedrive replies;
  private final List<Refusal> refusals = new ArrayList<>();
  private long refused;
  private int inARow;

  Redrive(
      Kind kind,
      KeptRows rows,
      KeptContents contents,
      KeptSender sender,
      ReleasedIds ids,
      KeptRun run,
      ReplyOnRedrive replies) {
    this.kind = kind;
    this.rows = rows;
    this.contents = contents;
    this.sender = sender;
    this.ids = ids;
    this.run = run;
    this.replies = replies;
  }

  /**
   * Sends all messages of the run.
   *
   * @throws InboxException if it stopped early
   */
  Redriven carryOut(LocalTransactions transactions) {
    run.forEach(
        MARKED_AT_ONCE,
        some -> {
          if (kind == Kind.PARKED) {
            mark(transactions, some);
          }
          for (long id : some) {
            one(transactions, id);
          }
        });
    return new Redriven(run.done(), refused, refusals);
  }

  private void one(LocalTransactions transactions, long id) throws SQLException {
    try {
      if (kind == Kind.QUARANTINED) {
        assign(transactions, id);
      }
      run.change(connection -> send(connection, id));
      inARow = 0;
    } catch (NotSentException notSent) {
      refuse(id, notSent);
    }
  }

  private void mark(LocalTransactions transactions, List<Long> some) throws SQLException {
    transactions.commit(
        connection -> {
          rows.endFailures(connection, some);
          rows.mark(connection, some);
          return true;
        });
  }

  private void assign(LocalTransactions transactions, long id) throws SQLException {
    transactions.commit(
        connection -> {
          Optional<Unreleased> row = rows.unreleased(connection, id);
          if (row.isPresent()) {
            rows.assign(connection, id, ids.of(open(row.get())).toString());
          }
          return true;
        });
  }

  private Unreleased open(Unreleased row) {
    try {
      return row.open(contents);
    } catch (InboxException closed) {
      throw new NotSentException(String.valueOf(closed.getMessage()), false, closed);
    }
  }

  private int send(Connection connection, long id) throws SQLException {
    Optional<Row> found = rows.lock(connection, id);
    if (found.isEmpty()) {
      return 0; // another operator has redriven or discarded it
    }
    Outgoing message = message(found.get());
    rows.delete(connection, List.of(id));
    if (kind == Kind.PARKED) {
      rows.renew(connection, message.consumer(), message.id()); // the parked row no longer keeps it
    }
    run.record(connection, 1);
    sender.send(message); // the last step before the commit
    return 1;
  }

  private Outgoing message(Row row) {
    String newId = row.releasedAs();
    String id = newId == null ? row.messageId() : newId;
    if (id == null) {
      throw new NotSentException("it has no id", false, null);
    }
    try {
      return new Outgoing(
          row.consumer(),
          row.destination(),
          id,
          newId != null,
          replies,
          contents.open(row.place(kind), row.content()));
    } catch (InboxException closed) {
      throw new NotSentException(String.valueOf(closed.getMessage()), false, closed);
    }
  }

  private void refuse(long id, NotSentException notSent) {
    refused++;
    String reason = String.valueOf(notSent.getMessage());
    if (refusals.size() < MOST_REFUSALS) {
      refusals.add(new Refusal(id, reason));
    }
    inARow = notSent.isAtBroker() ? inARow + 1 : inARow;
    if (inARow == PATIENCE) {
      throw run.brokeOff(reason, notSent);
    }
  }
}
