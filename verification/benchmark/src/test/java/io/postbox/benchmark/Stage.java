package io.postbox.benchmark;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The database and the broker that everything in one report uses, and the servers on them. */
final class Stage implements AutoCloseable {
  static final String ARTEMIS = "artemis";

  private final Options options;
  private final Postgres postgres;
  private final Broker broker;

  Stage(Options options) throws Exception {
    this(options, Map.of("wal_level", "replica"));
  }

  private Stage(Options options, Map<String, String> postgresSettings) throws Exception {
    this.options = options;
    postgres = new Postgres(postgresSettings);
    try {
      broker = new Broker(options.work());
    } catch (Exception failed) {
      postgres.close();
      throw failed;
    }
  }

  /** One whose database has in its log what a connector needs: of all that take part. */
  static Stage withConnector(Options options) throws Exception {
    return new Stage(options, Map.of("wal_level", "logical"));
  }

  /** One whose database counts the statements that it executes. */
  static Stage withStatementCounts(Options options) throws Exception {
    return new Stage(options, StatementCounts.SETTINGS);
  }

  Broker broker() {
    return broker;
  }

  Database database(String name) throws SQLException {
    return postgres.database(name);
  }

  /**
   * Starts a server, as liberty-config has it.
   *
   * @param folder the name of its folder, and of its recording
   * @param database its database
   * @param messaging its broker
   * @param keys of the configuration, beside those that were given to the build
   */
  Server server(String folder, Database database, String messaging, Map<String, String> keys)
      throws Exception {
    return server(folder, database.variables(), messaging, keys);
  }

  /** Starts one with a database by the name of its folder. */
  Server server(Database database, String messaging, Map<String, String> keys) throws Exception {
    return server(database.name(), database, messaging, keys);
  }

  /** Starts one as liberty-config has it by default: H2 and messaging are in the server. */
  Server embedded(String folder) throws Exception {
    return server(folder, Map.of("postbox.database", "h2"), "messaging", Map.of());
  }

  private Server server(
      String folder, Map<String, String> database, String messaging, Map<String, String> keys)
      throws Exception {
    Map<String, String> variables = new HashMap<>(database);
    variables.putAll(broker.variables());
    variables.put("postbox.messaging", messaging);
    variables.putAll(options.relay());
    variables.putAll(keys);
    return new Server(
        options.work().resolve("servers").resolve(folder),
        Optional.of(options.reports().resolve(folder + ".jfr")).filter(it -> options.profiled()),
        variables);
  }

  /** A relay with a server and a database of its own. */
  Relay relay(String name, Map<String, String> keys) throws Exception {
    Database database = database(name);
    return new Relay(database, broker, List.of(server(database, ARTEMIS, keys)));
  }

  /** The relay of two nodes, each with a server, on one database. */
  Relay twoNodes(String name) throws Exception {
    Database database = database(name);
    Server first = server(name + "1", database, ARTEMIS, Map.of());
    try {
      return new Relay(
          database, broker, List.of(first, server(name + "2", database, ARTEMIS, Map.of())));
    } catch (Exception failed) {
      first.close();
      throw failed;
    }
  }

  @Override
  public void close() throws Exception {
    try (postgres) {
      broker.close();
    }
  }
}
