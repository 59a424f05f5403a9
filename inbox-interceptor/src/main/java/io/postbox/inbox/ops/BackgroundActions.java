package io.postbox.inbox.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.RedrivePace;
import io.postbox.common.ops.ActionControl;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.ops.ErasureControl;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.ForConsumer;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.Redriven.Refusal;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.ops.KeptActionPlan.Source;
import io.postbox.inbox.store.CapturedStore;
import io.postbox.inbox.store.ErasureStore;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRows;
import io.postbox.inbox.store.VersionStore;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Starts the inbox's actions in the background, and carries them out. Thread-safe. */
public final class BackgroundActions {
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
   * @param key that the service's nodes share
   * @param clock the node's, which is never set back; only for pauses
   */
  public BackgroundActions(
      Dialect dialect,
      InboxConfig config,
      DataSource dataSource,
      IdRange places,
      KeptContents contents,
      KeptSender sender,
      byte[] key,
      InstantSource clock) {
    this.contents = contents;
    ActionTable table = new ActionTable(dialect, config.tables().qualified("inbox_action"));
    AuditStore audit = new AuditStore("inbox", config.tables(), config.service());
    ReleasedIds ids = new ReleasedIds(config, sender::firstId, InstantSource.system());
    Map<Source, KeptRelease> releases = new HashMap<>();
    Map<Source, KeptDiscard> discarders = new HashMap<>();
    CapturedStore captured = new CapturedStore(dialect, config.tables(), contents);
    OrderedPlaces order = new OrderedPlaces(config, new VersionStore(dialect, config.tables()));
    for (Kind kind : Kind.values()) {
      for (boolean goBack : new boolean[] {false, true}) {
        Source source = new Source(kind, goBack);
        KeptRows rows = new KeptRows(kind, goBack, config.tables());
        releases.put(source, new KeptRelease(kind, rows, contents, ids, captured));
        discarders.put(source, new KeptDiscard(kind, config, rows, places, captured, order));
      }
    }
    ErasureStore erasures =
        new ErasureStore(
            dialect,
            config.tables(),
            contents,
            consumer -> config.of(consumer).order().isPresent());
    Function<ErasureQuery, List<ErasurePlace<?>>> erased =
        query ->
            erasures.places(
                query,
                kind -> {
                  KeptDiscard of = Objects.requireNonNull(discarders.get(new Source(kind, false)));
                  return (connection, found) ->
                      of.discard(connection, KeptFilter.all().ids(found), found);
                });
    runner =
        new ActionRunner(
            LocalTransactions.retryingConflicts(dataSource),
            table,
            new KeptSteps(
                source -> Objects.requireNonNull(releases.get(source)),
                source -> Objects.requireNonNull(discarders.get(source)),
                sender,
                audit,
                dialect,
                erased,
                contents.texts()::isEncrypted),
            clock,
            InboxLog.SHARED);
    control =
        new ActionControl(
            new OperatorCalls(new LocalTransactions(dataSource), InboxLog::failure),
            plans(dialect, config, dataSource),
            runner,
            InboxLog.SHARED);
    erasure =
        new ErasureControl(
            erasures.records(),
            erased,
            ErasureControl.digests(key),
            config.confidentiality().dataSubjects(),
            control);
  }

  /**
   * The inbox's plans.
   *
   * @param dialect the database's
   * @param config where the tables are, and which service owns them
   * @param dataSource its connections must not be part of a transaction
   */
  public static Plans plans(Dialect dialect, InboxConfig config, DataSource dataSource) {
    return new Plans(
        new OperatorCalls(LocalTransactions.retryingConflicts(dataSource), InboxLog::failure),
        new ActionTable(dialect, config.tables().qualified("inbox_action")),
        new AuditStore("inbox", config.tables(), config.service()),
        InboxLog::planRefused);
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

  /**
   * Puts a plan on record.
   *
   * @param counted without a token
   * @param principal the user who asked for it
   */
  public KeptPlan plan(KeptPlan counted, String principal) {
    KeptActionPlan plan = new KeptActionPlan(counted.kind(), keptByNow(counted), counted.upTo());
    return new KeptPlan(
        control
            .plans()
            .keep(
                principal,
                "%s messages up to %s: %s"
                    .formatted(word(plan.kind()), plan.upTo(), counted.filter()),
                plan.toJson(),
                counted.messages()),
        counted.kind(),
        counted.filter(),
        counted.upTo(),
        counted.consumers());
  }

  /** A message keeps its row when it is kept aside again: it is none of the plan's then. */
  private static KeptFilter keptByNow(KeptPlan counted) {
    Optional<Instant> newest =
        counted.consumers().stream().map(ForConsumer::newest).max(Comparator.naturalOrder());
    return newest.isEmpty()
        ? counted.filter()
        : counted.filter().keptBefore(newest.get().plus(1, ChronoUnit.MICROS));
  }

  /**
   * Starts to redrive messages.
   *
   * @param plan its id
   */
  public OperatorAction redrive(
      UUID plan, ReplyOnRedrive replies, RedrivePace pace, String principal, String reason) {
    return start(
        new Order(plan, KeptSteps.REDRIVE, principal, reason),
        found -> found.redriven(replies, pace));
  }

  /**
   * Starts to discard messages.
   *
   * @param plan its id
   */
  public OperatorAction discard(UUID plan, String principal, String reason) {
    return start(new Order(plan, KeptSteps.DISCARD, principal, reason), found -> found);
  }

  /**
   * Starts to hold messages that are retried by themselves.
   *
   * @param plan its id
   */
  public OperatorAction hold(UUID plan, String principal, String reason) {
    return start(new Order(plan, KeptSteps.HOLD, principal, reason), BackgroundActions::checkHold);
  }

  private static KeptActionPlan checkHold(KeptActionPlan plan) {
    if (!plan.source().equals(new Source(Kind.PARKED, true))) {
      throw new IllegalArgumentException(
          "Only messages that are retried by themselves can be held, and the plan is for others; nothing was changed. Plan with the reason DELAYED or HANDED_BACK among the parked messages");
    }
    return plan;
  }

  /**
   * The first messages that a redrive could not send, and why.
   *
   * @throws InboxException if they cannot be read
   */
  List<Refusal> refusals(OperatorAction redrive) {
    String progress =
        control
            .calls()
            .commit(
                "The redrive %s is done and %s messages were sent, but it cannot be read which ones were not"
                    .formatted(redrive.id(), redrive.done()),
                connection -> control.table().progress(connection, redrive.id()));
    return KeptProgress.of(progress, 0).firstRefusals();
  }

  static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private OperatorAction start(Order order, UnaryOperator<KeptActionPlan> how) {
    return control.start(
        order,
        json ->
            KeptActionPlan.planned(json)
                .map(
                    plan -> {
                      contents.texts().requireSearchable(plan.filter());
                      return how.apply(plan).toJson();
                    }));
  }
}
