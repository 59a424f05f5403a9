package io.postbox.inbox.store;

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
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Has PostgreSQL tell how it executed each statement: its module auto_explain sends the plan that
 * was really used, with the pages it touched, to the client as a notice.
 */
final class PlanRecorder {
  private static final String TELL =
      """
      LOAD 'auto_explain';
      SET auto_explain.log_min_duration = 0;
      SET auto_explain.log_analyze = on;
      SET auto_explain.log_buffers = on;
      SET auto_explain.log_timing = off;
      SET auto_explain.log_parameter_max_length = 0;
      SET auto_explain.log_level = notice;
      """;

  private static final Pattern BUFFERS = Pattern.compile("Buffers: shared([^\n]*)");
  private static final Pattern PAGES = Pattern.compile("(?:hit|read)=(\\d+)");
  private static final Pattern COSTS = Pattern.compile(" *\\((?:cost|actual|never).*");
  private static final Pattern VALUE = Pattern.compile("'[^']*'|\\b\\d+(?:\\.\\d+)?\\b");
  private static final Pattern SEARCHED =
      Pattern.compile("Scan (?:Backward )?(?:using|on) (\\w+)|Index Searches: (\\d+)");

  private final Connection real;
  private final List<Execution> executions = new ArrayList<>();

  /**
   * @param real to a PostgreSQL
   * @param settings statements to begin with
   */
  PlanRecorder(Connection real, String settings) throws SQLException {
    this.real = real;
    try (Statement statement = real.createStatement()) {
      statement.execute(TELL + settings);
    }
  }

  /**
   * A statement that was executed.
   *
   * @param text with its plan
   */
  record Execution(String text) {
    /** How many pages were read, from memory or from disk, each time that one was read. */
    long pages() {
      Matcher whole = BUFFERS.matcher(text); // the topmost step has those of all
      long pages = 0;
      if (whole.find()) {
        for (Matcher part = PAGES.matcher(whole.group(1)); part.find(); ) {
          pages += Long.parseLong(part.group(1));
        }
      }
      return pages;
    }

    /** The statement and its plan, line by line, but for values, costs and pages. */
    List<String> plan() {
      return text.substring(text.indexOf("plan:"))
          .lines()
          .filter(line -> !line.contains("Buffers: "))
          .map(line -> COSTS.matcher(line).replaceFirst(""))
          .map(line -> VALUE.matcher(line).replaceAll("?"))
          .toList();
    }

    /** How often each index was searched for rows that were there. */
    Map<String, Integer> searches() {
      Map<String, Integer> searches = new TreeMap<>();
      String index = "";
      for (Matcher part = SEARCHED.matcher(text); part.find(); ) {
        if (part.group(1) != null) {
          index = part.group(1);
        } else {
          searches.merge(index, Integer.valueOf(part.group(2)), Integer::sum);
        }
      }
      return searches;
    }

    /** Whether it was to insert a row. */
    boolean isInsert() {
      return text.contains("\nInsert on ");
    }

    boolean isUpdate() {
      return text.contains("\nUpdate on ");
    }

    /** Whether it was to insert a row only if that was not there. */
    boolean isInsertIfAbsent() {
      return text.contains("Conflict Resolution: NOTHING");
    }

    /** Whether such a row was there. */
    boolean wasThere() {
      return text.contains("Conflicting Tuples: 1");
    }
  }

  /** The connection to hand in. */
  Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              Object result = call(real, method, arguments);
              return result instanceof PreparedStatement statement ? telling(statement) : result;
            });
  }

  private PreparedStatement telling(PreparedStatement statement) {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            PreparedStatement.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            (proxy, method, arguments) -> {
              Object result = call(statement, method, arguments);
              if (method.getName().startsWith("execute")) {
                note(statement.getWarnings());
              }
              return result;
            });
  }

  /** The executions since the last call. */
  List<Execution> take() {
    List<Execution> taken = List.copyOf(executions);
    executions.clear();
    return taken;
  }

  private void note(SQLWarning first) {
    for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
      if (warning.getMessage().contains("plan:")) {
        executions.add(new Execution(warning.getMessage()));
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
