package io.postbox.outbox.testing;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Has PostgreSQL tell how it executed each statement: its module auto_explain sends the plan that
 * was really used, with the pages it touched, to the client as a notice. Thread-safe.
 */
public final class PlanRecorder {
  private static final String TELL =
      """
      LOAD 'auto_explain';
      SET auto_explain.log_min_duration = 0;
      SET auto_explain.log_analyze = on;
      SET auto_explain.log_buffers = on;
      SET auto_explain.log_timing = off;
      SET auto_explain.log_format = json;
      SET auto_explain.log_parameter_max_length = 0;
      SET auto_explain.log_level = notice;
      """;

  private final DataSource real;
  private final String settings;
  private final List<Execution> executions = new ArrayList<>();

  /**
   * @param real a PostgreSQL
   * @param settings statements that each connection begins with
   */
  public PlanRecorder(DataSource real, String settings) {
    this.real = real;
    this.settings = settings;
  }

  /**
   * A statement that was executed.
   *
   * @param sql as the database was sent it
   * @param plan the topmost step of its plan
   */
  public record Execution(String sql, JsonObject plan) {
    /** How many pages were read, from memory or from disk, each time that one was read. */
    public long pages() {
      return plan.getInt("Shared Hit Blocks") + plan.getInt("Shared Read Blocks");
    }

    /** How many rows were passed over because a filter did not want them. */
    public long rowsFilteredOut() {
      return steps(plan)
          .mapToLong(step -> step.getInt("Rows Removed by Filter", 0) * step.getInt("Actual Loops"))
          .sum();
    }

    /** Each step, as its kind and what it works on. */
    public List<String> steps() {
      return steps(plan)
          .map(
              step ->
                  (step.getString("Node Type")
                          + " "
                          + step.getString("Relation Name", "")
                          + " "
                          + step.getString("Index Name", ""))
                      .strip())
          .toList();
    }

    private static Stream<JsonObject> steps(JsonObject step) {
      return Stream.concat(
          Stream.of(step),
          step.containsKey("Plans")
              ? step.getJsonArray("Plans").stream()
                  .map(JsonValue::asJsonObject)
                  .flatMap(Execution::steps)
              : Stream.empty());
    }
  }

  /** The data source to hand in. */
  public DataSource dataSource() {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> connect((Connection) call(real, method, arguments)));
  }

  /** The executions since the last call. */
  public synchronized List<Execution> take() {
    List<Execution> taken = List.copyOf(executions);
    executions.clear();
    return taken;
  }

  private Connection connect(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TELL + settings);
    }
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> onConnection(connection, method, arguments));
  }

  private static final Set<String> ENDS = Set.of("commit", "rollback");

  private Object onConnection(Connection connection, Method method, Object[] arguments)
      throws Throwable {
    Object result = call(connection, method, arguments);
    if (ENDS.contains(method.getName())) {
      note(connection.getWarnings());
      connection.clearWarnings();
    }
    if (result instanceof PreparedStatement statement) {
      return Proxy.newProxyInstance(
          PreparedStatement.class.getClassLoader(),
          new Class<?>[] {PreparedStatement.class},
          (proxy, called, given) -> onStatement(statement, called, given));
    }
    return result;
  }

  private Object onStatement(PreparedStatement statement, Method method, Object[] arguments)
      throws Throwable {
    Object result = call(statement, method, arguments);
    if (method.getName().startsWith("execute")) {
      note(statement.getWarnings());
    }
    return result;
  }

  /** A result that is fetched in parts is reported with the next statement, or the commit. */
  private synchronized void note(SQLWarning first) {
    for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
      String text = warning.getMessage();
      int json = text.indexOf('{');
      if (text.contains("plan:") && json >= 0) {
        try (JsonReader reader = Json.createReader(new StringReader(text.substring(json)))) {
          JsonObject told = reader.readObject();
          executions.add(new Execution(told.getString("Query Text"), told.getJsonObject("Plan")));
        }
      }
    }
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }
}
