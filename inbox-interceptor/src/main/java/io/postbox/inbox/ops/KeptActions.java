package io.postbox.inbox.ops;

import io.postbox.common.ops.PlanStart;
import io.postbox.common.ops.Reasons;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.DiscardStore;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** Redrives or discards kept messages of one kind, and audits that. Thread-safe. */
public final class KeptActions {
  private static final int DISCARDED_AT_ONCE = 1_000;

  private final Kind kind;
  private final LocalTransactions transactions;
  private final KeptRows rows;
  private final KeptDiscard discards;
  private final AuditStore audit;
  private final Plans plans;
  private final PlanStart start;
  private final KeptContents contents;
  private final KeptSender sender;
  private final KeptRelease release;

  /**
   * @param kind the kind of messages
   * @param config has the place of the tables and the service that owns them
   * @param dataSource its connections must not be part of a transaction
   * @param places knows which ids can be stored
   * @param contents decrypts stored contents
   * @param sender sends redriven messages
   * @param plans checks the service's plans
   */
  public KeptActions(
      Kind kind,
      InboxConfig config,
      DataSource dataSource,
      IdRange places,
      KeptContents contents,
      KeptSender sender,
      Plans plans) {
    this.kind = kind;
    this.plans = plans;
    transactions = LocalTransactions.retryingConflicts(dataSource);
    rows = new KeptRows(kind, config.tables());
    CapturedPlaces captured = new CapturedPlaces(config.tables(), contents);
    discards =
        new KeptDiscard(
            kind,
            config,
            rows,
            new DiscardStore(config.tables()),
            places,
            captured,
            new OrderedPlaces(config));
    audit = new AuditStore("inbox", config.tables(), config.service());
    start = plans.start(new LocalTransactions(dataSource), audit);
    this.contents = contents;
    this.sender = sender;
    release =
        new KeptRelease(
            kind,
            rows,
            contents,
            new ReleasedIds(config, sender::firstId, InstantSource.system()),
            captured);
  }

  /** Sends the messages of a plan, with their reply destinations. */
  public Redriven redrive(KeptPlan plan, String principal, String reason) {
    return redrive(plan, ReplyOnRedrive.KEEP, principal, reason);
  }

  /**
   * Sends the messages of a plan.
   *
   * @param replies whether they keep their reply destinations
   * @throws IllegalArgumentException if there is no reason, the plan is for the other kind, or it
   *     searches encrypted values
   * @throws PlanRefusedException if the plan is invalid
   * @throws InboxException if the database or the broker failed
   */
  public Redriven redrive(KeptPlan plan, ReplyOnRedrive replies, String principal, String reason) {
    Entry entry = entry("redrive", plan, principal, reason);
    start.begin(plan.token(), entry);
    KeptRun run = new KeptRun(transactions, rows, audit, plan, entry);
    Redriven redriven = new Redrive(release, sender, run, replies).carryOut(transactions);
    InboxLog.redriven(
        redriven.messages(),
        redriven.refused(),
        entry.subject(),
        entry.principal(),
        entry.reason());
    return redriven;
  }

  /**
   * Discards the messages of a plan.
   *
   * @return how many
   * @throws IllegalArgumentException if there is no reason, the plan is for the other kind, or it
   *     searches encrypted values
   * @throws PlanRefusedException if the plan is invalid
   * @throws InboxException if the database failed
   */
  public long discard(KeptPlan plan, String principal, String reason) {
    Entry entry = entry("discard", plan, principal, reason);
    start.begin(plan.token(), entry);
    KeptRun run = new KeptRun(transactions, rows, audit, plan, entry);
    run.forEach(
        DISCARDED_AT_ONCE,
        some -> {
          for (int from = 0; from < some.size(); ) {
            List<Long> rest = some.subList(from, some.size());
            int[] through = {0};
            run.change(
                connection -> {
                  DiscardStore.Done done = discards.discard(connection, rest);
                  through[0] = done.through();
                  return recorded(connection, done.discarded(), run);
                });
            from += through[0];
          }
        });
    InboxLog.discarded(run.done(), entry.subject(), entry.principal(), entry.reason());
    return run.done();
  }

  private static int recorded(Connection connection, int deleted, KeptRun run) throws SQLException {
    if (deleted > 0) {
      run.record(connection, deleted);
    }
    return deleted;
  }

  private Entry entry(String action, KeptPlan plan, String principal, String reason) {
    if (plan.kind() != kind) {
      throw new IllegalArgumentException(
          "The plan is for %s messages, but this action is for %s ones; nothing was changed."
              .formatted(word(plan.kind()), word(kind)));
    }
    contents.texts().requireSearchable(plan.filter());
    String checked = Reasons.checked(reason);
    plans.check(plan, principal);
    return of(action, plan, principal, checked);
  }

  /** The record of an action on the messages of a plan. */
  static Entry of(String action, KeptPlan plan, String principal, String reason) {
    return new Entry(
        plan.token().id(),
        action,
        principal,
        reason,
        "%s messages up to %s: %s".formatted(word(plan.kind()), plan.upTo(), plan.filter()));
  }

  private static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
