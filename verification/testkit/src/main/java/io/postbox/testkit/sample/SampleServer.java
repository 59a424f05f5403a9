package io.postbox.testkit.sample;

import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.model.Checker;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.FinalState;
import io.postbox.testkit.model.History;
import io.postbox.testkit.model.Sent;
import io.postbox.testkit.server.LibertyFolder;
import io.postbox.testkit.server.Rules;
import io.postbox.testkit.server.ServerFolder;
import io.postbox.testkit.server.ServerProcess;
import io.postbox.testkit.server.Workspace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sample in a server of its own on a PostgreSQL of its own, with clients that write down what
 * they were answered: for tests in which it is not the server that dies.
 */
public final class SampleServer implements AutoCloseable {
  private final PostgresDatabase database;
  private final ServerFolder folder;
  private final Rules rules;
  private final ServerProcess server;
  private final Sample sample;
  private final History history = new History();
  private final Map<String, Long> stockBefore = new TreeMap<>();

  /** Clients at work. */
  public interface Clients extends AutoCloseable {
    /** Stops them and waits for their last answers. */
    @Override
    void close();
  }

  /**
   * Makes database and server folder anew, and starts the database.
   *
   * @param name the folder's
   * @param variables more variables of the server
   */
  public SampleServer(String name, Map<String, String> variables) {
    Workspace workspace = Workspace.read();
    Path root = workspace.work().resolve(name);
    database = new PostgresDatabase(workspace.work().resolve(name + "-data"));
    Map<String, String> all = new HashMap<>(database.variables());
    all.putAll(variables);
    folder = LibertyFolder.create(workspace, root, all);
    rules = new Rules(workspace.artifacts().resolve("byteman.jar"), root.resolve("rules"), false);
    server = new ServerProcess(folder, rules);
    sample = new Sample(server.base());
  }

  /** The server's configuration; the server reads at its start what was put there before. */
  public Path home() {
    return folder.home();
  }

  /** The logs of the latest start. */
  public Path logs() {
    return server.logs();
  }

  /** Where it listens. */
  public URI base() {
    return server.base();
  }

  /** Starts the server and waits until the sample can take an order. */
  public void start() {
    server.start();
    server.awaitReady();
    stockBefore.putAll(sample.stock(Load.SKUS));
  }

  /** A way to the database past the server; without auto-commit only if the caller says so. */
  public Connection connect() throws SQLException {
    return database.connect();
  }

  /** Clients order at a steady pace, and send some orders again. */
  public Clients clients() {
    Load load = Load.start(sample, history, 1);
    load.awaitFirstAnswer();
    return load::close;
  }

  /** How many orders were answered 201 so far. */
  public long acknowledged() {
    return history.count(Acknowledged.class);
  }

  /** Whether all that was ordered has gone all the way, as far as the sample says. */
  public boolean atRest() {
    try {
      return sample.totals().atRest();
    } catch (IOException busy) {
      return false;
    }
  }

  /**
   * Lists the violations once all is at rest: lost, doubled, left behind.
   *
   * @param queues how many messages the broker's queues hold
   */
  public List<String> violations(Map<String, Long> queues) {
    FinalState state = Tables.read(database, stockBefore, queues, Sent.read(List.of(rules.sent())));
    return Checker.check(history.events(), state).stream().map(String::valueOf).toList();
  }

  @Override
  public void close() {
    server.close();
    database.close();
  }
}
