package io.postbox.inbox.ops;

import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.store.CapturedStore;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRow;
import io.postbox.inbox.store.KeptRow.Spot;
import io.postbox.inbox.store.KeptRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Has kept messages of one kind handled again. Thread-safe.
 *
 * @param kind the kind of messages
 * @param rows their rows
 * @param contents decrypts their contents
 * @param ids makes the new ids of quarantined messages
 * @param captured has those that were captured handled in their places
 */
record KeptRelease(
    Kind kind, KeptRows rows, KeptContents contents, ReleasedIds ids, CapturedStore captured) {

  /**
   * A message that was handed back.
   *
   * @param copy the copy that is to be sent once this is committed; none of a captured one
   */
  record Released(Optional<Outgoing> copy) {}

  /**
   * Hands a message back; empty if its plan does not select it any more.
   *
   * @throws NotSentException if no copy of it can be made; nothing is changed
   */
  Optional<Released> handBack(Connection connection, KeptActionPlan plan, long row)
      throws SQLException {
    Optional<KeptRow> found = rows.lock(connection, plan.filter(), row);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    KeptRow kept = found.get();
    Spot at = kept.at();
    if (at.isCaptured()) {
      String id = String.valueOf(at.messageId());
      rows.endFailures(connection, at.consumer(), id);
      captured.wake(connection, at.id(), at.consumer(), at.key(), at.holds());
      return Optional.of(new Released(Optional.empty()));
    }
    Content content = Outgoing.open(contents, kept);
    String newId = newId(kept, content);
    if (newId == null || kept.releasedAs() != null) { // else these are of another message
      rows.endFailures(connection, at.consumer(), Outgoing.id(newId, at.messageId()));
    }
    rows.handBack(connection, at, newId, plan.replies(), HandBack.patience(0));
    return Optional.of(
        new Released(
            Optional.of(
                Outgoing.of(kept, kept.generation() + 1, newId, plan.replies(), false, content))));
  }

  private @Nullable String newId(KeptRow row, Content content) {
    if (row.releasedAs() != null) {
      return row.releasedAs();
    }
    return kind == Kind.QUARANTINED
        ? ids.of(row.at().consumer(), row.at().messageId(), row.fingerprint(), content.properties())
            .toString()
        : null;
  }
}
