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
import org.awaitility.core.ConditionTimeoutException;

/**
 * A server, the database behind it, and what clients have seen of the two. Each round kills the
 * server under load, starts it again on the same data, and waits until everything has come to rest.
 */
final class Campaign implements AutoCloseable {
  private static final Duration LONGEST_REST = Duration.ofSeconds(120);

  private final Settings settings;
  private final Database database;
  private final ServerFolder folder;
  private final LibertyProcess server;
  private final Sample sample;
  private final History history = new History();
  private final Report report;
  private final Map<String, Long> stockBefore = new TreeMap<>();

  private FinalState state = FinalState.EMPTY;

  private Campaign(Settings settings, Database database, Path root) {
    this.settings = settings;
    this.database = database;
    folder = ServerFolder.create(settings, root, database.variables());
    server = new LibertyProcess(folder);
    sample = new Sample(server.base());
    report = new Report(database.name(), settings.seed(), settings.rounds());
  }

  /** On H2 in a file, which dies with the server. */
  static Campaign onH2(Settings settings) {
    Path root = settings.work().resolve("h2");
    return new Campaign(settings, new H2Database(root), root);
  }

  /** On PostgreSQL with XA, which stays up. */
  static Campaign onPostgres(Settings settings) {
    Path data = settings.work().resolve("postgresql-data");
    return new Campaign(
        settings, new PostgresDatabase(data), settings.work().resolve("postgresql"));
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

  /** All rounds, then the final check; stops early when something is already wrong. */
  List<Violation> run() {
    report.begin();
    try {
      boolean well = true;
      for (Round round : Round.draw(settings.seed(), settings.rounds())) {
        if (well) {
          play(round);
          well = comeToRest(round.number());
        }
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
    Map<String, Long> queues = Queues.depths(folder.jmxAddress());
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

  /** The way past the server. */
  Database database() {
    return database;
  }

  /** One order that is answered. */
  Acknowledged order() {
    return Load.order(sample, history, 1).orElseThrow();
  }

  /** That order's message again. */
  void resend(long orderId) {
    Load.resend(sample, history, orderId);
  }

  void awaitShipments(long orderId, int shipments) {
    await("shipments of order " + orderId).until(() -> sample.shipmentsOf(orderId) == shipments);
  }

  private void play(Round round) {
    long loadSeed = settings.seed() + round.number() * 1_000L;
    Load load = Load.start(sample, history, loadSeed);
    try {
      load.awaitFirstAnswer();
      killAfter(round, round.kills().get(0));
    } finally {
      load.close();
    }
    for (Duration again : round.kills().subList(1, round.kills().size())) {
      start(round);
      killAfter(round, again);
    }
    int inDoubt = database.readableBesideServer() ? Tables.inDoubt(database).size() : 0;
    history.mark(round.number(), "down, %d transactions in doubt".formatted(inDoubt));
    Duration start = start(round);
    server.awaitReady();
    Duration ready = history.mark(round.number(), "ready");
    report.round(round, inDoubt, ready.minus(start));
  }

  private Duration start(Round round) {
    server.start();
    return history.mark(round.number(), "started, logs in " + server.logs().getFileName());
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
    boolean rest = awaitRest();
    Duration took = history.mark(round, rest ? "at rest" : "still not at rest").minus(from);
    report.rest(history, took);
    return rest && wellSoFar();
  }

  boolean awaitRest() {
    try {
      await("rest")
          .atMost(LONGEST_REST)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(100))
          .ignoreExceptions() // it may be too busy to answer
          .until(
              () ->
                  sample.totals().atRest()
                      && Queues.depths(folder.jmxAddress()).values().stream().allMatch(n -> n == 0)
                      && (!database.readableBesideServer() || Tables.inDoubt(database).isEmpty()));
      return true;
    } catch (ConditionTimeoutException e) {
      return false; // the check will say what is stuck
    }
  }

  private boolean wellSoFar() {
    if (database.readableBesideServer()) {
      return check().isEmpty();
    }
    return !totals().wrong(history.count(Acknowledged.class));
  }

  private Sample.Totals totals() {
    try {
      return sample.totals();
    } catch (IOException e) {
      throw new UncheckedIOException("The sample is at rest, but does not answer", e);
    }
  }

  @Override
  public void close() {
    server.close();
    database.close();
  }
}
