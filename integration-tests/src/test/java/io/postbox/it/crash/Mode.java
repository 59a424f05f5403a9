package io.postbox.it.crash;

import static io.postbox.it.crash.MessageBroker.EMBEDDED;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a campaign runs on, and so what can be done to it. */
enum Mode {
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
  TWO_NODES(Store.POSTGRESQL_XA, Broker.EMBEDDED, 2);

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
    return Map.of();
  }

  boolean isOwn() {
    return name().startsWith("OWN_");
  }

  /** As an option, and for folders. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All that a campaign does to it. */
  List<Fault> faults() {
    List<Fault> faults = new ArrayList<>(points());
    faults.addAll(Arrays.asList(ServerFault.values()));
    if (store != Store.H2) {
      faults.addAll(NeighbourFault.of(DATABASE));
    }
    if (broker == Broker.ARTEMIS) {
      faults.addAll(NeighbourFault.of(BROKER));
    }
    return List.copyOf(faults);
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
                  case H2_COMMITTED -> this == H2;
                  case OWN_COMMITTED -> isOwn();
                  case XA_PREPARED, XA_DECIDED, XA_COMMITTED -> store == Store.POSTGRESQL_XA;
                  // H2 2.4.240 once came up with the index entry of a row whose transaction had
                  // died, and neither saw the row nor let it be inserted: docs/crash-matrix.md
                  case INBOX_ROW_WRITTEN, HANDLED -> this != OWN_H2;
                  default -> true;
                })
        .toList();
  }

  /** What is asleep in the first server. */
  List<Rule> rules() {
    return Stream.concat(
            points().stream().map(CrashPoint::rules),
            Arrays.stream(ServerFault.values()).map(ServerFault::rules))
        .flatMap(List::stream)
        .toList();
  }

  static final String DATABASE = "DATABASE";
  static final String BROKER = "BROKER";

  /** Makes it anew, with the rules of all its points asleep in its first server; not started. */
  Nodes make(Settings settings) {
    return make(settings, Map.of());
  }

  /** The same with more variables of the servers. */
  Nodes make(Settings settings, Map<String, String> more) {
    List<AutoCloseable> made = new ArrayList<>();
    try {
      return make(settings, more, made);
    } catch (RuntimeException failed) {
      Closing.all(made);
      throw failed;
    }
  }

  private Nodes make(Settings settings, Map<String, String> more, List<AutoCloseable> made) {
    String name = "campaign-" + text();
    List<Neighbour> neighbours = new ArrayList<>();
    Map<String, String> variables = new TreeMap<>(more());
    variables.putAll(more);
    Database database;
    if (store == Store.H2) {
      database = new H2Database(settings.work().resolve(name + "-1"));
    } else {
      PostgresDatabase postgres = new PostgresDatabase(settings.work().resolve(name + "-data"));
      made.add(postgres);
      variables.putAll(store.variables());
      Link link = new Link("database", postgres.port());
      made.add(link);
      variables.put("postbox.postgresql.port", String.valueOf(link.port()));
      neighbours.add(new Neighbour(DATABASE, postgres, link));
      database = postgres;
    }
    MessageBroker messages = EMBEDDED;
    if (broker == Broker.ARTEMIS) {
      Artemis artemis = Artemis.start(settings, settings.work().resolve(name + "-broker"));
      made.add(artemis);
      Link link = new Link("broker", artemis.port());
      made.add(link);
      variables.put("postbox.artemis.port", String.valueOf(link.port()));
      neighbours.add(new Neighbour(BROKER, artemis, link));
      messages = artemis;
    }
    Nodes nodes = Nodes.of(settings, name, servers, database, messages, neighbours, variables);
    nodes.get(0).rules().load(rules());
    if (isOwn()) {
      nodes.inOwnTransactions();
    }
    return nodes;
  }
}
