package io.postbox.inbox.ops;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRows;
import io.postbox.inbox.store.KeptRows.Row;
import io.postbox.inbox.store.KeptRows.Unreleased;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Takes kept messages of one kind out, to be sent. Thread-safe.
 *
 * @param kind the kind of messages
 * @param rows their rows
 * @param contents decrypts their contents
 * @param ids makes the new ids of quarantined messages
 * @param captured the places of parked messages that were captured
 */
record KeptRelease(
    Kind kind, KeptRows rows, KeptContents contents, ReleasedIds ids, CapturedPlaces captured) {

  /**
   * Ends the count of parked messages' failures and marks their rows, because a handler may fail
   * with a message as soon as it is sent: the inbox must not count the failures for which the
   * message was parked, and must be able to park it again. To be committed before they are sent.
   *
   * @param some in order, not empty
   * @return how many of them, the first ones, are marked or gone: another transaction has the next
   *     one; at least one, which is waited for
   */
  int mark(Connection connection, List<Long> some) throws SQLException {
    int marked = rows.endFailures(connection, some);
    rows.mark(connection, some.subList(0, marked));
    return marked;
  }

  /**
   * Assigns the new id of a quarantined message, unless it has one. To be committed before it is
   * sent.
   *
   * @return whether it had none
   * @throws NotSentException if it cannot be read
   */
  boolean assign(Connection connection, long id) throws SQLException {
    Optional<Unreleased> row = rows.unreleased(connection, id);
    if (row.isPresent()) {
      rows.assign(connection, id, ids.of(open(row.get())).toString());
    }
    return row.isPresent();
  }

  private Unreleased open(Unreleased row) {
    try {
      return row.open(contents);
    } catch (InboxException closed) {
      throw new NotSentException(String.valueOf(closed.getMessage()), false, closed);
    }
  }

  /**
   * Deletes the row of a message that is to be sent before the commit, or has it handled again in
   * its place, if it was captured; empty if another operator has redriven or discarded it.
   *
   * @throws NotSentException if it cannot be made
   */
  Optional<Outgoing> take(Connection connection, long id, ReplyOnRedrive replies)
      throws SQLException {
    Optional<Row> found = rows.lock(connection, id);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Outgoing message = message(found.get(), replies);
    rows.delete(connection, List.of(id));
    if (kind == Kind.PARKED) {
      rows.renew(connection, message.consumer(), message.id()); // the parked row no longer keeps it
      if (captured.restore(connection, message.consumer(), message.id(), message.content())) {
        return Optional.of(message.restored());
      }
    }
    return Optional.of(message);
  }

  private Outgoing message(Row row, ReplyOnRedrive replies) {
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
}
