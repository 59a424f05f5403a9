package io.postbox.crash.faults;

import io.postbox.crash.deployed.AnsweringListener;
import io.postbox.crash.deployed.OutsideDesk;
import io.postbox.crash.deployed.VersionsListener;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.server.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The places at which a crash could do harm: between two steps that only mean something together.
 */
public enum CrashPoint implements Fault {
  ENQUEUED("io.postbox.outbox.enqueue.Enqueuer", "write", "AT EXIT"),
  BUSINESS_COMMITTED("io.postbox.outbox.server.RelayBean", "wake", "AT ENTRY"),
  CLAIMED("io.postbox.outbox.store.ClaimStore", "claim", "AT EXIT", "$!.isPresent()"),
  IN_THE_MIDDLE_OF_A_BATCH(
      "io.postbox.outbox.jms.JmsTransport", "sendAll", "AFTER INVOKE send", "$1.size() > 1"),
  SENT("io.postbox.outbox.jms.JmsTransport", "commit", "AT ENTRY"),
  BROKER_COMMITTED("io.postbox.outbox.store.ClaimStore", "complete", "AT ENTRY"),
  DELETED("io.postbox.outbox.store.ClaimStore", "complete", "AT EXIT"),
  COMPLETED(
      "io.postbox.outbox.relay.OutcomePublisher", "publish", "AT ENTRY", "$1.sent().size() > 0"),
  DELIVERED("io.postbox.inbox.interceptor.InboxInterceptor", "guard", "AT ENTRY"),
  INBOX_ROW_WRITTEN("io.postbox.inbox.store.InboxStore", "insertIfAbsent", "AT EXIT", "$!"),
  HANDLED("io.postbox.sample.shipping.ShippingMdb", "onMessage", "AT EXIT") {
    @Override
    Stream<Rule> rules(String type) {
      return Stream.of(
              super.rules(type),
              rules(OutsideDesk.class.getName(), "receive"),
              rules(AnsweringListener.class.getName(), "onMessage"))
          .flatMap(rules -> rules);
    }
  },

  /** H2 is the last participant, so the broker has prepared and does not know the outcome. */
  H2_COMMITTED("org.h2.jdbc.JdbcConnection", "commit", "AT EXIT", "clear(Thread.currentThread())") {
    @Override
    Stream<Rule> preparation() {
      return marks(
          "io.postbox.inbox.receiver.IdempotentReceiver",
          "receive",
          "!%s AND flag(Thread.currentThread())".formatted(IN_A_WORKER));
    }
  },

  /** The broker has prepared, whichever it is, and nothing is decided yet. */
  BROKER_PREPARED(
      "org.apache.activemq.artemis.core.client.impl.ClientSessionImpl", "prepare", "AT EXIT") {
    @Override
    Stream<Rule> rules(String type) {
      return Stream.of(
              type,
              "com.ibm.ws.sib.msgstore.transactions.impl.MSDelegatingXAResource",
              "com.sun.messaging.jms.ra.DirectXAResource")
          .flatMap(super::rules);
    }
  },

  /** The inbox's own transaction has committed, and the message is not acknowledged. */
  OWN_COMMITTED(
      "io.postbox.inbox.jta.OwnDeliveryTransaction",
      "ended",
      "AT EXIT",
      "$1 AND !" + CrashPoint.IN_A_WORKER),

  /** Nothing is decided yet, so recovery rolls it back. */
  XA_PREPARED("org.postgresql.xa.PGXAConnection", "prepare", "AT EXIT", "TRUE"),
  /** Decided and on record: recovery has to commit it, in the database and in the broker. */
  XA_DECIDED("org.postgresql.xa.PGXAConnection", "commit", "AT ENTRY", "!$2"),
  XA_COMMITTED("org.postgresql.xa.PGXAConnection", "commit", "AT EXIT", "!$2"),

  CAPTURED("io.postbox.inbox.store.CapturedStore", "capture", "AT EXIT", "$!.isEmpty()"),

  /** The database has committed, and the broker does not know that. */
  CAPTURE_COMMITTED("org.h2.jdbc.JdbcConnection", "commit", "AT EXIT", CrashPoint.CLEAR_MARK) {
    @Override
    Stream<Rule> preparation() {
      return marks(
          "io.postbox.inbox.store.CapturedStore", "capture", "$!.isEmpty() AND " + SET_MARK);
    }

    @Override
    Stream<Rule> rules(String type) {
      return atCommits();
    }
  },
  CAPTURED_LOCKED("io.postbox.inbox.store.CapturedStore", "claim", "AT EXIT", "$!"),

  /** Between two of its effects, in the transaction of a worker. */
  CAPTURED_IN_HANDLER(
      "io.postbox.sample.billing.BillingService",
      "book",
      "AFTER INVOKE persist",
      CrashPoint.IN_A_WORKER) {
    @Override
    Stream<Rule> rules(String type) {
      return Stream.concat(
          super.rules(type), rules("io.postbox.sample.shipping.ShippingService", "ship"));
    }
  },
  CAPTURED_HANDLED("io.postbox.inbox.interceptor.HandlerCalls", "call", "AT EXIT"),

  /**
   * The row is gone or kept as done, and the next one of its key can be handled after the commit.
   */
  CAPTURED_ENDED("io.postbox.inbox.store.CapturedStore", "finishUnlessBusy", "AT EXIT", "$!"),
  CAPTURED_DONE(
      "io.postbox.inbox.jta.OwnDeliveryTransaction",
      "ended",
      "AT EXIT",
      "$1 AND " + CrashPoint.IN_A_WORKER),

  /** A version is too early, and its message is in the database. */
  BUFFERED("io.postbox.inbox.receiver.KeptMessageWriter", "buffer", "AT EXIT"),

  /** The database has committed that, and the broker does not know it. */
  BUFFER_COMMITTED("org.h2.jdbc.JdbcConnection", "commit", "AT EXIT", CrashPoint.CLEAR_MARK) {
    @Override
    Stream<Rule> preparation() {
      return marks("io.postbox.inbox.receiver.KeptMessageWriter", "buffer", SET_MARK);
    }

    @Override
    Stream<Rule> rules(String type) {
      return atCommits();
    }
  },

  /** A version is handled, and the message with the next one is to be released. */
  MARKED(VersionsListener.class.getName(), "onMessage", "AT EXIT", CrashPoint.CLEAR_MARK) {
    @Override
    Stream<Rule> preparation() {
      return marksReleases();
    }

    @Override
    Stream<Rule> rules(String type) {
      return Stream.concat(
          super.rules(type), rules("io.postbox.inbox.interceptor.HandlerCalls", "call"));
    }
  },
  MARK_COMMITTED("org.h2.jdbc.JdbcConnection", "commit", "AT EXIT", CrashPoint.CLEAR_MARK) {
    @Override
    Stream<Rule> preparation() {
      return marksReleases();
    }

    @Override
    Stream<Rule> rules(String type) {
      return atCommits();
    }
  },

  /** A handler has failed, and its message is stored until its retry is due. */
  RETRY_STORED("io.postbox.inbox.receiver.KeptMessageWriter", "delay", "AT EXIT"),

  /** The database has committed that, and the broker does not know it. */
  RETRY_COMMITTED("org.h2.jdbc.JdbcConnection", "commit", "AT EXIT", CrashPoint.CLEAR_MARK) {
    @Override
    Stream<Rule> preparation() {
      return marks("io.postbox.inbox.receiver.KeptMessageWriter", "delay", SET_MARK);
    }

    @Override
    Stream<Rule> rules(String type) {
      return atCommits();
    }
  },

  /** Its row says that a copy of the message is on its way for its retry, and none is. */
  RETRY_HANDED_BACK("io.postbox.inbox.ops.HandBack", "copy", "AT ENTRY"),

  /** The broker has the copy, and its row is still there. */
  RETRY_SENT("io.postbox.inbox.ops.HandBack", "handBack", "AT EXIT"),

  /** Its row says that a copy of the message is on its way, and none is. */
  RELEASE_COMMITTED("io.postbox.inbox.ops.HandBack", "copy", "AT ENTRY"),

  /** The broker has the copy, or a worker the message, and its row is still there. */
  RELEASED("io.postbox.inbox.ops.HandBack", "handBack", "AT EXIT", "!$!.name().equals(\"GONE\")"),

  /** The row is gone with the handling of a copy, which has not committed. */
  RELEASE_HANDLED("io.postbox.inbox.interceptor.JtaIdempotencyStore", "delete", "AT EXIT");

  /** Of those that handle what was captured. */
  private static final String IN_A_WORKER =
      "Thread.currentThread().getName().startsWith(\"postbox-inbox-captured\")";

  /** Marks a thread whose transaction has done that which a crash follows. */
  private static final String SET_MARK = "flag(\"does \" + Thread.currentThread().getId())";

  private static final String CLEAR_MARK = "clear(\"does \" + Thread.currentThread().getId())";

  private static final int LATEST_PASSING = 8;

  /** More than it takes to pass; no message fails so often in that time that it is parked. */
  private static final String FAILURES = "30";

  /** Nobody passes for the time with this number. */
  private static final String NEVER = "0";

  private final String type;
  private final String method;
  private final String where;
  private final String condition;

  CrashPoint(String type, String method, String where) {
    this(type, method, where, "TRUE");
  }

  CrashPoint(String type, String method, String where, String condition) {
    this.type = type;
    this.method = method;
    this.where = where;
    this.condition = condition;
  }

  /** Halts the server here, the how-manieth time after it was armed that it was armed with. */
  public List<Rule> rules() {
    return Stream.concat(preparation(), rules(type)).toList();
  }

  /** Those that crash, in a class. */
  Stream<Rule> rules(String type) {
    return rules(type, method);
  }

  /** Those that crash, in a method of a class. */
  final Stream<Rule> rules(String type, String method) {
    // halt, as kill -9 does, runs no shutdown hooks and flushes nothing.
    return Stream.of(
        new Rule(
            name(),
            type,
            method,
            where,
            // Counted from each time on that it is armed.
            "(%s) AND incrementCounter(\"%s\" + armed.lastModified()) == Integer.parseInt(java.nio.file.Files.readString(armed.toPath()))"
                .formatted(condition, name()),
            "Runtime.getRuntime().halt(" + Rule.EXIT + ")"));
  }

  /** A server dies here, the first to eighth time that it passes the point. */
  @Override
  public String happen(Nodes nodes, Random random) {
    int passing = 1 + random.nextInt(LATEST_PASSING);
    List<Node> targets = nodes.targets(random);
    Duration turn = Node.LONGEST_UNTIL_POINT.dividedBy(targets.size());
    for (Node node : targets) {
      failing(node, FAILURES);
      node.rules().arm(name(), String.valueOf(passing));
      boolean died = node.diesAt(name(), turn);
      if (!died) {
        node.rules().arm(name(), NEVER); // not disarmed: somebody may be about to read that
        died = !node.server().isRunning();
      }
      failing(node, NEVER);
      if (died) {
        node.rules().disarm(name());
        String how = "killed at %s, passing %s".formatted(name(), passing);
        nodes.mark(node, how);
        return how;
      }
      nodes.mark(node, "does not pass %s so often".formatted(name()));
    }
    throw new IllegalStateException("No server has passed %s %s times".formatted(name(), passing));
  }

  /** A point of retries is passed only after handlers have failed. */
  private void failing(Node node, String times) {
    switch (this) {
      case RETRY_STORED, RETRY_COMMITTED, RETRY_HANDED_BACK, RETRY_SENT ->
          node.rules().arm(HandlerFault.ERRORS.name(), times);
      default -> {}
    }
  }

  /** Those that crash when a transaction of the database has committed. */
  final Stream<Rule> atCommits() {
    return Stream.of(
            "org.h2.jdbc.JdbcConnection",
            "org.postgresql.jdbc.PgConnection",
            "org.postgresql.xa.PGXAConnection")
        .flatMap(type -> rules(type, "commit"));
  }

  /** Marks a thread whose transaction lets the next version of an aggregate go. */
  final Stream<Rule> marksReleases() {
    return marks("io.postbox.inbox.store.VersionStore", "release", "$!.any() AND " + SET_MARK);
  }

  /** A rule that has no effect but to evaluate a condition. */
  final Stream<Rule> marks(String type, String method, String condition) {
    return Stream.of(
        new Rule(name(), type, method, "AT EXIT", condition + " AND FALSE", "hit.exists()"));
  }

  /** Rules that the crash needs to know when. */
  Stream<Rule> preparation() {
    return Stream.of();
  }
}
