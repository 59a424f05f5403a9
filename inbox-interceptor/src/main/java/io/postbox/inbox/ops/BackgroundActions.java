package io.postbox.inbox.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.ops.ActionControl;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.ops.ErasureControl;
import io.postbox.common.ops.ErasureSteps;
import io.postbox.common.ops.Reasons;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.RedrivePace;
import io.postbox.inbox.Redriven.Refusal;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.ActionLog;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.DiscardStore;
import io.postbox.inbox.store.ErasureStore;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRows;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/** Starts the inbox's actions in the background, and carries them out. Thread-safe. */
public final class BackgroundActions {
  private final Plans plans;
  private final KeptContents contents;
  private final ActionControl control;
  private final ActionRunner runner;
  private final ErasureControl erasure;

  /**
   * @param dialect the database's
   * @param config has the place of the tables and the service that owns them
   * @param dataSource its connections must not be part of a transaction
   * @param places knows which ids can be stored
   * @param contents decrypts stored contents
   * @param sender sends redriven messages
   * @param plans checks the service's plans
   * @param clock the node's, which is never set back; only for pauses
   */
  public BackgroundActions(
      Dialect dialect,
      InboxConfig config,
      DataSource dataSource,
      IdRange places,
      KeptContents contents,
      KeptSender sender,
      Plans plans,
      InstantSource clock) {
    this.plans = plans;
    this.contents = contents;
    ActionTable table = new ActionTable(dialect, config.tables().qualified("inbox_action"));
    AuditStore audit = new AuditStore("inbox", config.tables(), config.service());
    LocalTransactions plain = new LocalTransactions(dataSource);
    ReleasedIds ids = new ReleasedIds(config, sender::firstId, InstantSource.system());
    DiscardStore discards = new DiscardStore(config.tables());
    Map<Kind, KeptRelease> releases = new EnumMap<>(Kind.class);
    Map<Kind, KeptDiscard> discarders = new EnumMap<>(Kind.class);
    CapturedPlaces captured = new CapturedPlaces(config.tables(), contents);
    OrderedPlaces order = new OrderedPlaces(config);
    for (Kind kind : Kind.values()) {
      KeptRows rows = new KeptRows(kind, config.tables());
      releases.put(kind, new KeptRelease(kind, rows, contents, ids, captured));
      discarders.put(kind, new KeptDiscard(kind, config, rows, discards, places, captured, order));
    }
    ErasureStore erasures =
        new ErasureStore(
            dialect,
            config.tables(),
            contents,
            consumer -> config.of(consumer).order().isPresent());
    ErasurePlaces erased =
        new ErasurePlaces(erasures, kind -> Objects.requireNonNull(discarders.get(kind)));
    BiFunction<String, SQLException, RuntimeException> failure =
        (what, failed) -> new InboxException(what + ": " + InboxLog.EXCEPTIONS.of(failed), failed);
    runner =
        new ActionRunner(
            LocalTransactions.retryingConflicts(dataSource),
            table,
            new ErasureWork(
                new ErasureSteps(audit),
                erased::of,
                dialect,
                new KeptSteps(
                    kind -> Objects.requireNonNull(releases.get(kind)),
                    kind -> Objects.requireNonNull(discarders.get(kind)),
                    sender,
                    audit,
                    contents.texts()::isEncrypted)),
            clock);
    control =
        new ActionControl(
            plain, table, audit, plans.start(plain, audit), runner, ActionLog::changed, failure);
    erasure =
        new ErasureControl(
            plain,
            table,
            erasures.records(),
            erased::of,
            plans.tokens(),
            config.confidentiality().dataSubjects(),
            control,
            ActionLog::started,
            failure);
  }

  /** Plans and starts erasures. */
  public ErasureControl erasure() {
    return erasure;
  }

  /** Lists, pauses, resumes and cancels actions. */
  public ActionControl control() {
    return control;
  }

  /** Carries them out on this node. */
  public ActionRunner runner() {
    return runner;
  }

  /** Starts to redrive messages, as fast as it goes. */
  public OperatorAction redrive(
      KeptPlan plan, ReplyOnRedrive replies, String principal, String reason) {
    return redrive(plan, replies, RedrivePace.FASTEST, principal, reason);
  }

  /** Starts to redrive messages. */
  public OperatorAction redrive(
      KeptPlan plan, ReplyOnRedrive replies, RedrivePace pace, String principal, String reason) {
    return start("redrive", plan, Optional.of(replies), pace, principal, reason);
  }

  /** Starts to discard messages. */
  public OperatorAction discard(KeptPlan plan, String principal, String reason) {
    return start("discard", plan, Optional.empty(), RedrivePace.FASTEST, principal, reason);
  }

  /**
   * The first messages that a redrive could not send, and why.
   *
   * @throws InboxException if they cannot be read
   */
  List<Refusal> refusals(OperatorAction redrive) {
    try {
      String progress =
          control
              .transactions()
              .commit(connection -> control.table().progress(connection, redrive.id()));
      return KeptProgress.of(progress).firstRefusals();
    } catch (SQLException failed) {
      throw control
          .failure()
          .apply(
              "The redrive %s is done and %s messages were sent, but it cannot be read which ones were not"
                  .formatted(redrive.id(), redrive.done()),
              failed);
    }
  }

  static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private OperatorAction start(
      String action,
      KeptPlan plan,
      Optional<ReplyOnRedrive> redrive,
      RedrivePace pace,
      String principal,
      String reason) {
    contents.texts().requireSearchable(plan.filter());
    String checked = Reasons.checked(reason);
    plans.check(plan, principal);
    Entry entry =
        new Entry(
            plan.token().id(),
            action,
            principal,
            checked,
            "%s messages up to %s: %s".formatted(word(plan.kind()), plan.upTo(), plan.filter()));
    OperatorAction started =
        control.start(
            plan.token(), entry, KeptActionPlan.of(plan, redrive, pace).toJson(), plan.messages());
    ActionLog.started(started);
    return started;
  }
}
