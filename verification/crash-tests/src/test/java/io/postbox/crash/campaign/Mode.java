package io.postbox.crash.campaign;

import static io.postbox.testkit.database.Backend.BROKER;
import static io.postbox.testkit.database.Backend.DATABASE;
import static io.postbox.testkit.database.Backend.DATABASE_LOG;

import io.postbox.crash.deployed.SampleChange;
import io.postbox.crash.faults.BackendFault;
import io.postbox.crash.faults.BacklogFault;
import io.postbox.crash.faults.ClockFault;
import io.postbox.crash.faults.CrashPoint;
import io.postbox.crash.faults.DiskFault;
import io.postbox.crash.faults.Fault;
import io.postbox.crash.faults.HandlerFault;
import io.postbox.crash.faults.ReadOnlyFault;
import io.postbox.crash.faults.ServerFault;
import io.postbox.crash.load.HostileClient;
import io.postbox.crash.topology.MessageBroker;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.crash.topology.Topology;
import io.postbox.testkit.database.Database;
import io.postbox.testkit.model.HostileMessage;
import io.postbox.testkit.model.Quota;
import io.postbox.testkit.server.Rule;
import io.postbox.testkit.server.ServerKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The servers, database and broker of a campaign, which decide what can be done to it. */
public enum Mode {
  /** H2 in a file as the last participant, Liberty's embedded messaging: the sample's default. */
  H2(Store.H2, Broker.EMBEDDED, 1),
  /** Liberty's embedded messaging and PostgreSQL with XA: recovery has two to bring together. */
  POSTGRESQL(Store.POSTGRESQL_XA, Broker.EMBEDDED, 1),
  /** PostgreSQL as the last participant, and a broker that lives and dies on its own. */
  ARTEMIS(Store.POSTGRESQL, Broker.ARTEMIS, 1),
  /** The relay sends and completes in one transaction over both. */
  RELAY_XA(Store.POSTGRESQL_XA, Broker.ARTEMIS, 1) {
    @Override
    Map<String, String> more() {
      return Map.of("postbox.outbox.delivery", "xa");
    }
  },
  /** The inbox has a transaction of its own beside the delivery's. */
  OWN_H2(Store.H2, Broker.EMBEDDED, 1),
  OWN_ARTEMIS(Store.POSTGRESQL, Broker.ARTEMIS, 1),
  /** Two servers with one set of tables, each with a messaging engine of its own. */
  TWO_NODES(Store.POSTGRESQL_XA, Broker.EMBEDDED, 2),
  /** Two servers with one broker, which gives one of them what the other did not acknowledge. */
  TWO_NODES_ARTEMIS(Store.POSTGRESQL, Broker.ARTEMIS, 2),
  OWN_TWO_NODES(Store.POSTGRESQL, Broker.ARTEMIS, 2),
  /**
   * The listener has no transaction; the bean that it calls has {@code @Inbox} and one of its own.
   */
  OUTSIDE(Store.POSTGRESQL, Broker.ARTEMIS, 1),
  /** The listener of shipments captures too, so that most messages are handled by workers. */
  CAPTURE_H2(Store.H2, Broker.EMBEDDED, 1),
  CAPTURE_POSTGRESQL(Store.POSTGRESQL_XA, Broker.EMBEDDED, 1),
  CAPTURE_TWO_NODES(Store.POSTGRESQL, Broker.ARTEMIS, 2),
  /** More consumers handle versions of aggregates that are sent out of order. */
  EARLY_H2(Store.H2, Broker.EMBEDDED, 1),
  EARLY_POSTGRESQL(Store.POSTGRESQL_XA, Broker.ARTEMIS, 1),
  EARLY_TWO_NODES(Store.POSTGRESQL, Broker.ARTEMIS, 2),
  /** An operator decides about dead letters, parked and waiting messages while servers die. */
  OPERATOR_H2(Store.H2, Broker.EMBEDDED, 1),
  OPERATOR_POSTGRESQL(Store.POSTGRESQL_XA, Broker.ARTEMIS, 1),
  OPERATOR_TWO_NODES(Store.POSTGRESQL, Broker.ARTEMIS, 2),
  /** The JVM has a default locale with digits or letters of its own, drawn from the seed. */
  LOCALE(Store.POSTGRESQL_XA, Broker.ARTEMIS, 1),
  /** The same as H2, on WildFly with its own Artemis. */
  WILDFLY(Store.H2, Broker.EMBEDDED, 1),
  /** The same as H2, on Payara with its own OpenMQ. */
  PAYARA(Store.H2, Broker.EMBEDDED, 1),
  /** The same as POSTGRESQL, with low bounds, an answering listener, and somebody to test them. */
  HOSTILE(Store.POSTGRESQL_XA, Broker.EMBEDDED, 1) {
    @Override
    Map<String, String> more() {
      return Map.of(
          "postbox.inbox.max-body", String.valueOf(HostileClient.MAX_BODY),
          "postbox.inbox.dead-queue", "jms/dead",
          "postbox.inbox.quota.bytes", String.valueOf(QUOTA_BYTES),
          "postbox.inbox.quota.messages", String.valueOf(QUOTA_MESSAGES),
          "postbox.inbox.quota.when-full", "metadata");
    }
  };

  private static final long QUOTA_BYTES = 512 << 10;
  private static final int QUOTA_MESSAGES = 2_000;

  /** Of rows without bodies there may be ten times as many. */
  private static final Quota QUOTA =
      new Quota(
          QUOTA_BYTES,
          10L * QUOTA_MESSAGES,
          (long) HostileClient.FLOOD_MESSAGES * (HostileClient.FLOOD_LENGTH + 1_000));

  /** One for what cannot be kept, and one in which nothing may ever arrive. */
  private static final String MORE_QUEUES =
      """
      <server>
        <messagingEngine>
          <queue id="%1$s"/>
          <queue id="LEAK"/>
        </messagingEngine>
        <jmsQueue id="jms/dead" jndiName="jms/dead">
          <properties.wasJms queueName="%1$s"/>
        </jmsQueue>
        <jmsQueue id="jms/leak" jndiName="jms/leak">
          <properties.wasJms queueName="LEAK"/>
        </jmsQueue>
      </server>
      """
          .formatted(HostileMessage.DEAD_QUEUE);

  /**
   * As options of the JVM, a line each: a letter i that is none in upper case, and two kinds of
   * digits.
   */
  private static final List<String> LOCALES =
      List.of(
          "-Duser.language=tr\n-Duser.country=TR",
          "-Duser.language=ar\n-Duser.country=EG\n-Duser.extensions=u-nu-arab",
          "-Duser.language=th\n-Duser.country=TH\n-Duser.extensions=u-nu-thai");

  /** So few attempts, so soon, that an operator has something to decide about. */
  private static final Map<String, String> JOBS =
      Map.ofEntries(
          Map.entry("postbox.outbox.after-sending", "archive"),
          Map.entry("postbox.console.actions-per-minute", "10000"),
          Map.entry("postbox.outbox.destination.jobs.max-attempts", "2"),
          Map.entry("postbox.outbox.destination.jobs.backoff.first", "50ms"),
          Map.entry("postbox.outbox.destination.jobs-captured.max-attempts", "2"),
          Map.entry("postbox.outbox.destination.jobs-captured.backoff.first", "50ms"),
          Map.entry("postbox.outbox.destination.jobs-aside.jndi-name", "jms/jobs"),
          Map.entry("postbox.inbox.consumer.jobs.max-attempts", "2"),
          Map.entry("postbox.inbox.consumer.jobs.backoff.first", "50ms"),
          Map.entry("postbox.inbox.consumer.jobs-captured.max-attempts", "2"),
          Map.entry("postbox.inbox.consumer.jobs-captured.backoff.first", "50ms"),
          Map.entry("postbox.inbox.consumer.jobs-captured.capture.after-processing", "keep"));

  private enum Store {
    H2,
    POSTGRESQL {
      @Override
      Map<String, String> variables() {
        return Map.of("postbox.postgresql.type", "javax.sql.ConnectionPoolDataSource");
      }
    },
    POSTGRESQL_XA;

    Map<String, String> variables() {
      return Map.of();
    }
  }

  private enum Broker {
    EMBEDDED,
    ARTEMIS
  }

  private final Store store;
  private final Broker broker;
  private final int servers;

  Mode(Store store, Broker broker, int servers) {
    this.store = store;
    this.broker = broker;
    this.servers = servers;
  }

  /** More variables of the servers. */
  Map<String, String> more() {
    if (captures()) { // their rows say in which order they were captured
      return Map.of("postbox.inbox.consumer.shipping.capture.after-processing", "keep");
    }
    if (hasOperator()) {
      return JOBS;
    }
    return ordersVersions()
        ? Map.of(
            "postbox.inbox.consumer.versions.order", "version",
            "postbox.inbox.consumer.versions.backoff.max", "1500ms", // as shipping's
            "postbox.inbox.consumer.versions-captured.order", "version",
            "postbox.inbox.consumer.versions-captured.backoff.max", "1500ms")
        : Map.of();
  }

  /**
   * Two, and others with the next seed: eleven in a row have all but HOSTILE, whose floods take a
   * busy machine too long for a build that waits for it. That one is played by its name, or with
   * all.
   */
  static List<Mode> drawn(long seed) {
    List<Mode> all = Arrays.stream(values()).filter(mode -> mode != HOSTILE).toList();
    int first = (int) Math.floorMod(2 * seed, (long) all.size());
    return List.of(all.get(first), all.get((first + 1) % all.size()));
  }

  private ServerKind kind() {
    return switch (this) {
      case WILDFLY -> ServerKind.WILDFLY;
      case PAYARA -> ServerKind.PAYARA;
      default -> ServerKind.LIBERTY;
    };
  }

  boolean isOwn() {
    return name().startsWith("OWN_");
  }

  boolean captures() {
    return name().startsWith("CAPTURE_");
  }

  boolean ordersVersions() {
    return name().startsWith("EARLY_");
  }

  boolean hasOperator() {
    return name().startsWith("OPERATOR_");
  }

  /** As an option, and for folders. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All that a campaign does to it. */
  public List<Fault> faults() {
    List<Fault> faults = new ArrayList<>(points());
    Arrays.stream(ServerFault.values())
        // its messages are sent by others meanwhile, and by itself once it is thawed
        .filter(fault -> fault != ServerFault.FROZEN_FOR_LONG || (servers > 1 && !hasOperator()))
        .filter(fault -> fault != ServerFault.REDEPLOYED || kind() != ServerKind.PAYARA)
        .forEach(faults::add);
    faults.addAll(
        List.of(HandlerFault.SILENT_ROLLBACK, HandlerFault.CAPTURED_FAILS, HandlerFault.ERRORS));
    if (store != Store.H2) { // an interrupt closes the file of the database
      faults.add(HandlerFault.INTERRUPTS);
    }
    faults.add(new ClockFault());
    if (this != HOSTILE) { // nobody empties its dead queue
      faults.add(new DiskFault(DATABASE));
    }
    if (this != HOSTILE && kind() == ServerKind.LIBERTY) {
      faults.add(new DiskFault(BROKER));
    }
    if (store != Store.H2) {
      faults.addAll(BackendFault.of(DATABASE));
      if (this != HOSTILE) {
        faults.add(new DiskFault(DATABASE_LOG));
      }
      faults.add(new ReadOnlyFault());
    }
    if (broker == Broker.ARTEMIS) {
      faults.addAll(BackendFault.of(BROKER));
    }
    // OWN_H2 as with HANDLED; in HOSTILE it is far back in the queue, behind floods
    if (this != OWN_H2 && this != HOSTILE) {
      faults.add(HandlerFault.DEADLY_MESSAGE);
    }
    if (hasBacklogs()) {
      faults.addAll(List.of(BacklogFault.values()));
    }
    return List.copyOf(faults);
  }

  /** Whether there is a topic to which backlogs can be sent, and a database that takes them. */
  private boolean hasBacklogs() {
    return this == POSTGRESQL || this == TWO_NODES;
  }

  /** Whether one of these is done to it; if there are none, any. */
  boolean has(List<String> names) {
    return names.isEmpty() || faults().stream().anyMatch(fault -> names.contains(fault.name()));
  }

  /** The named points that a server of this mode passes. */
  List<CrashPoint> points() {
    return Arrays.stream(CrashPoint.values())
        .filter(
            point ->
                switch (point) {
                  case H2_COMMITTED -> this == H2 || this == WILDFLY || this == PAYARA;
                  case OWN_COMMITTED -> isOwn();
                  case BROKER_PREPARED -> !isOwn() && this != OUTSIDE;
                  case XA_PREPARED, XA_DECIDED, XA_COMMITTED -> store == Store.POSTGRESQL_XA;
                  // H2 2.4.240 once came up with the index entry of a row whose transaction had
                  // died, and neither saw the row nor let it be inserted: docs/crash-matrix.md
                  case INBOX_ROW_WRITTEN -> this != OWN_H2;
                  case BUFFERED, BUFFER_COMMITTED, MARKED, MARK_COMMITTED -> ordersVersions();
                  case RELEASE_COMMITTED, RELEASED, RELEASE_HANDLED -> ordersVersions();
                  // the others have no listener that could be handed anything back
                  case RETRY_STORED, RETRY_COMMITTED, RETRY_HANDED_BACK, RETRY_SENT ->
                      !captures() && this != OUTSIDE && this != HOSTILE;
                  case HANDLED -> this != OWN_H2 && !captures();
                  default -> true;
                })
        .toList();
  }

  /**
   * To how many servers something is done. Of several with one broker, it is the broker that
   * decides which of them handles an article's messages, and it keeps to that.
   */
  private int targets() {
    return broker == Broker.ARTEMIS ? servers : 1;
  }

  /** The rules that are inactive in those. */
  public List<Rule> rules() {
    return Stream.of(
            points().stream().map(CrashPoint::rules),
            Arrays.stream(ServerFault.values()).map(ServerFault::rules),
            Arrays.stream(HandlerFault.values()).map(HandlerFault::rules))
        .flatMap(rules -> rules)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Makes it anew, with the rules of all its points asleep; not started.
   *
   * @param smallDisks whether what must survive lies on disks that can be full
   * @param more variables of the servers, beside those of the mode
   */
  public Nodes make(Settings settings, boolean smallDisks, Map<String, String> more) {
    Map<String, String> variables = new TreeMap<>(more());
    variables.putAll(more);
    Topology topology = new Topology(settings.on(kind()), "campaign-" + text(), smallDisks);
    try {
      Database database = store == Store.H2 ? topology.h2() : topology.postgres(store.variables());
      MessageBroker messages = broker == Broker.ARTEMIS ? topology.artemis() : topology.embedded();
      Nodes nodes = topology.nodes(servers, database, messages, variables);
      nodes.target(targets(), rules());
      if (isOwn()) {
        nodes.inOwnTransactions();
      } else if (this == OUTSIDE) {
        nodes.change(SampleChange.LISTENER_OUTSIDE);
      } else if (captures()) {
        nodes.change(SampleChange.LISTENER_CAPTURES);
      } else if (ordersVersions()) {
        nodes.orderVersions();
      } else if (this == LOCALE) {
        String locale = LOCALES.get(Math.floorMod(settings.seed(), LOCALES.size()));
        nodes.all().forEach(node -> node.folder().jvmOptions(locale));
      } else if (hasOperator()) {
        nodes.employOperator(store != Store.H2);
      } else if (this == HOSTILE) {
        nodes.change(SampleChange.LISTENER_ANSWERS);
        nodes.all().forEach(node -> node.liberty().override("more-queues.xml", MORE_QUEUES));
        nodes.underAttack(QUOTA);
      }
      if (hasBacklogs()) {
        nodes.all().forEach(node -> node.liberty().override("backlog.xml", BacklogFault.TOPIC));
      }
      return nodes;
    } catch (RuntimeException failed) {
      topology.close();
      throw failed;
    }
  }
}
