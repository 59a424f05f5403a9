package io.postbox.inbox.ops;

import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.Redriven.Refusal;
import io.postbox.inbox.ReplyOnRedrive;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sends kept messages one by one: deletes the row, sends the message, and commits only then. So
 * after a crash in between the message is sent again, under the same id. Not thread-safe.
 */
final class Redrive {
  private static final int MARKED_AT_ONCE = 1_000;
  private static final int MOST_REFUSALS = 100;

  /**
   * After this many refusals of the broker in a row the broker is at fault, and not the messages.
   */
  private static final int PATIENCE = 3;

  private final KeptRelease release;
  private final KeptSender sender;
  private final KeptRun run;
  private final ReplyOnRedrive replies;
  private final List<Refusal> refusals = new ArrayList<>();
  private long refused;
  private int inARow;

  Redrive(KeptRelease release, KeptSender sender, KeptRun run, ReplyOnRedrive replies) {
    this.release = release;
    this.sender = sender;
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
          if (release.kind() == Kind.PARKED) {
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
      if (release.kind() == Kind.QUARANTINED) {
        transactions.commit(connection -> release.assign(connection, id));
      }
      run.change(connection -> send(connection, id));
      inARow = 0;
    } catch (NotSentException notSent) {
      refuse(id, notSent);
    }
  }

  private void mark(LocalTransactions transactions, List<Long> some) throws SQLException {
    for (int from = 0; from < some.size(); ) {
      List<Long> rest = some.subList(from, some.size());
      from += transactions.commit(connection -> release.mark(connection, rest));
    }
  }

  private int send(Connection connection, long id) throws SQLException {
    Optional<Outgoing> message = release.take(connection, id, replies);
    if (message.isEmpty()) {
      return 0; // another operator has redriven or discarded it
    }
    run.record(connection, 1);
    message.get().sendBy(sender); // the last step before the commit
    return 1;
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
