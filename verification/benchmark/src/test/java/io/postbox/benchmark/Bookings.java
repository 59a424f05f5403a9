package io.postbox.benchmark;

import java.sql.SQLException;

/**
 * Business transactions of several threads: without a message, with one through the outbox, and
 * with one that is sent by XA in the same transaction, which has no backlog to drain. The outbox is
 * that of a server with the data source of liberty-config, in one phase, and its relay is at work.
 */
final class Bookings {
  static final int THREADS = PeersBenchmark.THREADS;

  private static final String NONE = "without a message";
  private static final String OUTBOX = "one message by the outbox, until the broker has it";
  private static final String XA = "one message by XA JMS in the business transaction";

  private final Relay outbox;
  private final Relay xa;
  private final int count;
  private final Measurements measured = new Measurements();

  Bookings(Relay outbox, Relay xa, int count) throws SQLException {
    this.outbox = outbox;
    this.xa = xa;
    this.count = count;
    outbox.openAccounts(THREADS);
    xa.openAccounts(THREADS);
  }

  void warmUp() throws Exception {
    outbox.book("none", count, THREADS, 0);
    outbox.book("outbox", count, THREADS, 1);
    xa.book("xa", count, THREADS, 1);
  }

  void measure() throws Exception {
    measured.measure(NONE, () -> outbox.book("none", count, THREADS, 0));
    measured.measure(OUTBOX, () -> outbox.book("outbox", count, THREADS, 1));
    measured.measure(XA, () -> xa.book("xa", count, THREADS, 1));
  }

  void tell(Report report) {
    report.beginTable("business transactions per second, %s threads".formatted(THREADS));
    measured.tell(report, "%.0f");
    report.beginTable("ratio, round by round");
    Figures none = measured.of(NONE);
    Figures viaOutbox = measured.of(OUTBOX);
    Figures byXa = measured.of(XA);
    report.row("outbox / without a message", viaOutbox.over(none), "%.2f");
    report.row("XA JMS / without a message", byXa.over(none), "%.2f");
    report.row("XA JMS / outbox", byXa.over(viaOutbox), "%.2f");
    report.say("");
    report.say("| | order per key | durability | dead letters |");
    report.say("| --- | --- | --- | --- |");
    report.say(
        "| XA JMS | that of the broker's commits, which may differ from the database's |"
            + " once, in both or in neither; while the broker is away no transaction commits;"
            + " what a crash leaves in doubt has to be recovered |"
            + " none: a message that fails takes its transaction with it |");
  }
}
