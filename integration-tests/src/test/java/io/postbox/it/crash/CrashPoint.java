package io.postbox.it.crash;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The places at which a crash could do harm: between two steps that only mean something together.
 */
enum CrashPoint {
  ENQUEUED("outbox.enqueue.Enqueuer", "write", "AT EXIT"),
  BUSINESS_COMMITTED("outbox.server.RelayBean", "wake", "AT ENTRY"),
  CLAIMED("outbox.store.RelayStore", "claim", "AT EXIT", "$!.isPresent()"),
  IN_THE_MIDDLE_OF_A_BATCH(
      "outbox.jms.JmsTransport", "sendAll", "AFTER INVOKE send", "$1.size() > 1"),
  SENT("outbox.jms.JmsTransport", "commit", "AT ENTRY"),
  BROKER_COMMITTED("outbox.store.RelayStore", "complete", "AT ENTRY"),
  DELETED("outbox.store.RelayStore", "complete", "AT EXIT"),
  COMPLETED("outbox.relay.News", "tell", "AT ENTRY", "$1.sent().size() > 0"),
  INBOX_ROW_WRITTEN("inbox.store.InboxStore", "insertIfAbsent", "AT EXIT", "$!"),
  HANDLED("sample.shipping.ShippingMdb", "onMessage", "AT EXIT"),

  /** H2 is the last participant, so the broker has prepared and does not know the outcome. */
  H2_COMMITTED(
      "h2", "org.h2.jdbc.JdbcConnection", "commit", "AT EXIT", "flagged(Thread.currentThread())") {
    @Override
    Stream<Rule> preparation() {
      return Stream.of(
          new Rule(
              name(),
              "io.postbox.inbox.guard.Intake",
              "take",
              "AT EXIT",
              "TRUE",
              "flag(Thread.currentThread())"));
    }
  },

  /** The inbox's own transaction has committed, and the message is not acknowledged. */
  OWN_COMMITTED("own", "io.postbox.inbox.interceptor.OwnDelivery", "ended", "AT EXIT", "$1"),

  /** Nothing is decided yet, so recovery rolls it back. */
  XA_PREPARED("postgresql", "org.postgresql.xa.PGXAConnection", "prepare", "AT EXIT", "TRUE"),
  /** Decided and on record: recovery has to commit it, in the database and in the broker. */
  XA_DECIDED("postgresql", "org.postgresql.xa.PGXAConnection", "commit", "AT ENTRY", "!$2"),
  XA_COMMITTED("postgresql", "org.postgresql.xa.PGXAConnection", "commit", "AT EXIT", "!$2");

  /** What a server that died at a crash point exits with. */
  static final int EXIT = 86;

  private final String database;
  private final String type;
  private final String method;
  private final String where;
  private final String condition;

  CrashPoint(String type, String method, String where) {
    this(type, method, where, "TRUE");
  }

  CrashPoint(String type, String method, String where, String condition) {
    this("", "io.postbox." + type, method, where, condition);
  }

  CrashPoint(String database, String type, String method, String where, String condition) {
    this.database = database;
    this.type = type;
    this.method = method;
    this.where = where;
    this.condition = condition;
  }

  /** The points that there are on a database. */
  static List<CrashPoint> on(String database) {
    return Arrays.stream(values())
        .filter(point -> point.database.isEmpty() || point.database.equals(database))
        .toList();
  }

  /**
   * Those of a delivery that is handled in a transaction of the inbox's own. On H2 only the one
   * after its commit: H2 2.4.240 once came up with the index entry of a row whose transaction had
   * died, and neither saw the row nor let it be inserted; see docs/crash-matrix.md.
   */
  static List<CrashPoint> inOwnTransactions(String database) {
    return database.equals("h2")
        ? List.of(OWN_COMMITTED)
        : List.of(INBOX_ROW_WRITTEN, HANDLED, OWN_COMMITTED);
  }

  /**
   * Halts the server here.
   *
   * @param passing the how-manieth time after it was armed
   */
  List<Rule> rules(int passing) {
    // halt, as kill -9 does, runs no shutdown hooks and flushes nothing.
    Rule crash =
        new Rule(
            name(),
            type,
            method,
            where,
            "(%s) AND incrementCounter(\"%s\") == %d".formatted(condition, name(), passing),
            "Runtime.getRuntime().halt(" + EXIT + ")");
    return Stream.concat(preparation(), Stream.of(crash)).toList();
  }

  /** Rules that the crash needs to know when. */
  Stream<Rule> preparation() {
    return Stream.of();
  }
}
