package io.postbox.benchmark;

import java.sql.SQLException;
import java.util.HashMap;
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
   * @param database its database, and the name of its folder and of its recording
   * @param messaging its broker
   * @param keys of the configuration, beside those that were given to the build
   */
  Server server(Database database, String messaging, Map<String, String> keys) throws Exception {
    Map<String, String> variables = new HashMap<>(database.variables());
    variables.putAll(broker.variables());
    variables.put("postbox.messaging", messaging);
    variables.putAll(options.relay());
    variables.putAll(keys);
    return new Server(
        options.work().resolve("servers").resolve(database.name()),
        Optional.of(options.reports().resolve(database.name() + ".jfr"))
            .filter(it -> options.profiled()),
        variables);
  }

  /** A relay with a server and a database of its own. */
  Relay relay(String name, Map<String, String> keys) throws Exception {
    Database database = database(name);
    return new Relay(database, broker, server(database, ARTEMIS, keys));
  }

  @Override
  public void close() throws Exception {
    try (postgres) {
      broker.close();
    }
  }
}
