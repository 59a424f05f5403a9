package io.postbox.it.crash;

import static org.awaitility.Awaitility.await;

import io.postbox.it.crash.Event.Acknowledged;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * A server, the database behind it, and what clients have seen of the two. Each round kills the
 * server under load, starts it again on the same data, and waits until everything has come to rest.
 */
final class Campaign implements AutoCloseable {
  private static final Duration LONGEST_UNTIL_POINT = Duration.ofSeconds(60);

  private final Settings settings;
  private final Database database;
  private final ServerFolder folder;
  private final Rules rules;
  private final LibertyProcess server;
  private final Sample sample;
  private final History history = new History();
  private final Rest rest;
  private final Report report;
  private final Map<String, Long> stockBefore = new TreeMap<>();

  private FinalState state = FinalState.EMPTY;

  private Campaign(Settings settings, Database database, Path root) {
    this.settings = settings;
    this.database = database;
    folder = ServerFolder.create(settings, root, database.variables());
    rules = new Rules(settings.artifacts().resolve("byteman.jar"), root.resolve("rules"));
    server = new LibertyProcess(folder, rules);
    sample = new Sample(server.base());
    rest = new Rest(sample, database, () -> Queues.depths(folder.mbeans()));
    report = new Report(database.name(), settings.seed());
  }

  /**
   * On H2 in a file, which dies with the server.
   *
   * @param name its folder's
   */
  static Campaign onH2(Settings settings, String name) {
    Path root = settings.work().resolve(name);
    return new Campaign(settings, new H2Database(root), root);
  }

  /**
   * On PostgreSQL with XA, which stays up.
   *
   * @param name its folder's
   */
  static Campaign onPostgres(Settings settings, String name) {
    Path data = settings.work().resolve(name + "-data");
    return new Campaign(settings, new PostgresDatabase(data), settings.work().resolve(name));
  }

  /** Lets the sample's listeners leave the transaction to the inbox; before the start. */
  Campaign inOwnTransactions() {
    OwnTransactionSample.patch(folder.home().resolve("apps/sample-ear.ear"));
    return this;
  }

  /** Starts the server. */
  void start() {
    history.mark(0, "started");
    server.start();
    server.awaitReady();
    history.mark(0, "ready");
    try {
      stockBefore.put(Load.SKU, sample.stockOf(Load.SKU));
    } catch (IOException e) {
      throw new UncheckedIOException("The sample is ready, but does not answer", e);
    }
  }

  /** The server is killed at random moments. */
  List<Violation> run() {
    List<Round> rounds = Round.draw(settings.seed(), settings.rounds());
    return run(
        rounds.size(), "-Drounds=" + settings.rounds(), number -> play(rounds.get(number - 1)));
  }

  /** The server dies at these points. Starts it, too. */
  List<Violation> runAt(List<CrashPoint> points) {
    List<Strike> strikes = Strike.draw(settings.seed(), points, settings.strikes());
    rules.load(strikes.get(0).rules());
    start();
    return run(
        strikes.size(),
        "-Dstrikes=" + settings.strikes(),
        number ->
            play(
                strikes.get(number - 1),
                number == strikes.size() ? List.of() : strikes.get(number).rules()));
  }

  /** All rounds, then the final check; stops early when something is already wrong. */
  private List<Violation> run(int rounds, String size, IntConsumer play) {
    report.begin(rounds, size);
    try {
      boolean well = true;
      for (int number = 1; number <= rounds && well; number++) {
        play.accept(number);
        well = comeToRest(number);
      }
      List<Violation> violations = check();
      report.end(history.events(), violations);
      return violations;
    } catch (RuntimeException e) {
      throw new AssertionError(e.getMessage() + "\n" + explain(List.of()), e);
    }
  }

  /** What has become of everything so far. Ends the server where its database is inside it. */
  List<Violation> check() {
    Map<String, Long> queues = Queues.depths(folder.mbeans());
    if (!database.readableBesideServer()) {
      server.kill();
    }
    state = Tables.read(database, stockBefore, queues);
    return Checker.check(history.events(), state);
  }

  /** The story of the latest check's violations, for a person. */
  String explain(List<Violation> violations) {
    return report.failure(history.events(), state, violations)
        + "Kept: %s; server, data and logs %s\n".formatted(database.whereabouts(), folder.root());
  }

  /** The rules in the server, from its next start on. */
  Rules rules() {
    return rules;
  }

  /** Waits until an armed part of the rules has killed the server. */
  void awaitDeathAt(String part) {
    int exit = server.awaitExit(LONGEST_UNTIL_POINT);
    if (exit != CrashPoint.EXIT || !rules.wasHit(part)) {
      throw new IllegalStateException(
          "The server was to die at %s; exit code %d, the rule was %s, logs in %s"
              .formatted(part, exit, rules.wasHit(part) ? "hit" : "never hit", server.logs()));
    }
  }

  /** Starts the server again and waits until it can take an order. */
  void startAgain() {
    start(0);
    server.awaitReady();
  }

  /** The way past the server. */
  Database database() {
    return database;
  }

  /** One order that is answered. */
  Acknowledged order() {
    return Load.order(sample, history, 1).orElseThrow();
  }

  /** One order that is not answered. */
  void orderInVain() {
    if (Load.order(sample, history, 1).isPresent()) {
      throw new IllegalStateException("An order that was to fail was answered 201");
    }
  }

  /** That order's message again. */
  void resend(long orderId) {
    Load.resend(sample, history, orderId);
  }

  void awaitShipments(long orderId, int shipments) {
    await("shipments of order " + orderId).until(() -> sample.shipmentsOf(orderId) == shipments);
  }

  private void play(Round round) {
    try (Load load = load(round.number())) {
      load.awaitFirstAnswer();
      killAfter(round, round.kills().get(0));
    }
    for (Duration again : round.kills().subList(1, round.kills().size())) {
      start(round.number());
      killAfter(round, again);
    }
    comeBack(round.number(), round.how());
  }

  /**
   * @param next what the server has in it when it comes back
   */
  private void play(Strike strike, List<Rule> next) {
    String point = strike.point().name();
    rules.arm(point);
    try (Load load = load(strike.number())) {
      awaitDeathAt(point);
      history.mark(strike.number(), strike.how());
    }
    rules.load(next);
    comeBack(strike.number(), strike.how());
  }

  private Load load(int round) {
    return Load.start(sample, history, settings.seed() + round * 1_000L);
  }

  private void comeBack(int round, String how) {
    int inDoubt = database.readableBesideServer() ? Tables.inDoubt(database).size() : 0;
    history.mark(round, "down, %d transactions in doubt".formatted(inDoubt));
    Duration start = start(round);
    server.awaitReady();
    Duration ready = history.mark(round, "ready");
    report.round(round, how, inDoubt, ready.minus(start));
  }

  private Duration start(int round) {
    server.start();
    return history.mark(round, "started, logs in " + server.logs().getFileName());
  }

  private void killAfter(Round round, Duration delay) {
    CompletableFuture.runAsync(
            server::kill,
            CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS))
        .join();
    history.mark(round.number(), "killed");
  }

  /** Returns whether all went all the way, as far as one can tell without stopping. */
  private boolean comeToRest(int round) {
    Duration from = history.now();
    boolean atRest = rest.await();
    Duration took = history.mark(round, atRest ? "at rest" : "still not at rest").minus(from);
    report.rest(history, took);
    return atRest && wellSoFar();
  }

  private boolean wellSoFar() {
    return database.readableBesideServer()
        ? check().isEmpty()
        : !rest.totals().wrong(history.count(Acknowledged.class));
  }

  @Override
  public void close() {
    server.close();
    database.close();
  }
}
