package io.postbox.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Drains by the relay and by what others have, in turns, each in a database of its own in the same
 * PostgreSQL, to the same broker, with the same message.
 */
class PeersBenchmark {
  /** The default of db-scheduler; others that have none take as many. */
  static final int THREADS = 10;

  /** Of the server that sends in the business transaction, in two phases. */
  private static final Map<String, String> XA =
      Map.of(Server.DATA_SOURCE_TYPE, "javax.sql.XADataSource", Server.ENABLED, "false");

  private final Options options = Options.read();
  private final Measurements measured = new Measurements();

  static HikariDataSource pool(Database database) {
    return pool(database, THREADS);
  }

  /** Of more connections than there are threads, so that none waits for one. */
  static HikariDataSource pool(Database database, int threads) {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(database.dataSource());
    pool.setMaximumPoolSize(threads + 5);
    return pool;
  }

  @Test
  void peers() throws Exception {
    Report report =
        new Report(
            "peers",
            String.format(
                Locale.ROOT, "Drains of %,d messages of 512 bytes", options.peerMessages()));
    report.say(
        "- each as its own documentation recommends; %s rounds after a warm-up"
            .formatted(options.repetitions()));
    try (Stage stage = Stage.withConnector(options);
        RelayPeer relay = new RelayPeer(stage.relay("relay", Map.of()));
        Relay xa = stage.relay("xa", XA);
        Peer naive = new NaivePoller(stage.database("naive"), stage.broker());
        Peer gruelbox = new GruelboxPeer(stage.database("gruelbox"), stage.broker());
        Peer scheduler = new DbSchedulerPeer(stage.database("scheduler"), stage.broker());
        Peer namastack = new NamastackPeer(stage.database("namastack"), stage.broker());
        Peer modulith = new ModulithPeer(stage.database("modulith"), stage.broker());
        Peer debezium =
            new DebeziumPeer(
                stage.database("debezium"), stage.broker(), options.work().resolve("debezium"))) {
      List<Peer> peers = List.of(relay, naive, gruelbox, scheduler, namastack, modulith, debezium);
      Bookings bookings = new Bookings(relay.relay(), xa, options.peerMessages());
      measure(peers, bookings);
      tell(report, peers);
      bookings.tell(report);
    }
    report.write(options.reports());
  }

  private void measure(List<Peer> peers, Bookings bookings) throws Exception {
    for (Peer peer : peers) {
      peer.drain(options.peerMessages());
    }
    bookings.warmUp();
    for (int i = 0; i < options.repetitions(); i++) {
      for (Peer peer : peers) {
        measured.measure(peer.name(), () -> peer.drain(options.peerMessages()));
      }
      bookings.measure();
    }
  }

  private void tell(Report report, List<Peer> peers) {
    report.beginTable("messages per second");
    measured.tell(report, "%.0f");
    report.say("");
    report.say("| | messages per second | order per key | durability | dead letters |");
    report.say("| --- | ---: | --- | --- | --- |");
    for (Peer peer : peers) {
      Peer.Guarantees guarantees = peer.guarantees();
      report.say(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %s | %s | %s |",
              peer.name(),
              measured.of(peer.name()).median(),
              guarantees.order(),
              guarantees.durability(),
              guarantees.deadLetters()));
    }
  }
}
