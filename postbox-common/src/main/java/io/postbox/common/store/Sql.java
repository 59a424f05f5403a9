package io.postbox.common.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements that have no need of a {@link PreparedStatement} of their own. Parameters are
 * what JDBC takes as objects, times, {@link Array arrays} and {@link Values several at once}.
 */
public final class Sql {
  private Sql() {}

  /** Reads a row. */
  @FunctionalInterface
  public interface Row<T> {
    /** Reads the present row, and does not go on to the next. */
    T of(ResultSet row) throws SQLException;
  }

  /**
   * An array as one parameter.
   *
   * @param type the database's name of its elements' type
   * @param elements may be none
   */
  public record Array(String type, Collection<?> elements) {}

  /**
   * Several parameters, in their order.
   *
   * @param all may be none
   */
  public record Values(List<?> all) {}

  /** An array of ids. */
  public static Array ids(Collection<?> ids) {
    return new Array("UUID", ids);
  }

  /** An array of numbers. */
  public static Array numbers(Collection<Long> numbers) {
    return new Array("BIGINT", numbers);
  }

  /** An array of texts. */
  public static Array texts(Collection<String> texts) {
    return new Array("VARCHAR", texts);
  }

  /** Several parameters, any of which may be null. */
  public static Values values(@Nullable Object... all) {
    return new Values(Arrays.asList(all));
  }

  /** The same parameters several times. */
  public static Values times(int times, Object... values) {
    return new Values(
        IntStream.range(0, times).mapToObj(i -> new Values(List.of(values))).toList());
  }

  /** All rows, in order. */
  public static <T> List<T> list(
      Connection connection, String sql, Row<T> reader, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(connection, statement, values);
      List<T> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(reader.of(row));
        }
      }
      return found;
    }
  }

  /** The first row, if there is one. */
  public static <T> Optional<T> first(
      Connection connection, String sql, Row<T> reader, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(connection, statement, values);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.ofNullable(reader.of(row)) : Optional.empty();
      }
    }
  }

  /** The one row that there always is. */
  public static <T> T one(
      Connection connection, String sql, Row<T> reader, @Nullable Object... values)
      throws SQLException {
    return first(connection, sql, reader, values)
        .orElseThrow(() -> new IllegalStateException("No row: " + sql));
  }

  /** Changes rows, and returns how many. */
  public static int update(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(connection, statement, values);
      return statement.executeUpdate();
    }
  }

  /** Inserts a row, and reads columns of it that the database has set. */
  public static <T> T insert(
      Connection connection,
      String sql,
      List<String> columns,
      Row<T> reader,
      @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(sql, columns.toArray(String[]::new))) {
      bind(connection, statement, values);
      statement.executeUpdate();
      try (ResultSet row = statement.getGeneratedKeys()) {
        row.next();
        return reader.of(row);
      }
    }
  }

  /** Runs a statement without parameters, if there is one, whatever it returns. */
  public static void execute(Connection connection, String sql) throws SQLException {
    if (!sql.isEmpty()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  /** Changes rows for each item, in one batch, and returns how many in all. */
  public static <T> int batch(
      Connection connection,
      String sql,
      Collection<T> items,
      Function<T, @Nullable Object[]> values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (T item : items) {
        bind(connection, statement, values.apply(item));
        statement.addBatch();
      }
      return IntStream.of(statement.executeBatch()).sum();
    }
  }

  /**
   * Sets all parameters.
   *
   * @param connection the statement's; a server that keeps statements may answer {@link
   *     PreparedStatement#getConnection} with one that was closed before
   */
  public static void bind(
      Connection connection, PreparedStatement statement, @Nullable Object... values)
      throws SQLException {
    int next = 1;
    for (Object value : values) {
      next = bind(connection, statement, next, value);
    }
  }

  private static int bind(
      Connection connection, PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value instanceof Values several) {
      int next = index;
      for (Object each : several.all()) {
        next = bind(connection, statement, next, each);
      }
      return next;
    }
    if (value instanceof Array array) {
      statement.setArray(index, connection.createArrayOf(array.type(), array.elements().toArray()));
    } else if (value instanceof String text) {
      statement.setString(index, text);
    } else if (value instanceof Instant time) {
      statement.setObject(index, time.atOffset(ZoneOffset.UTC));
    } else {
      statement.setObject(index, value);
    }
    return index + 1;
  }

  /** A column's time. */
  public static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** A column's time. */
  public static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** A column's text, if it has one. */
  static Optional<String> text(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  /** A column's text, if it has one. */
  public static Optional<String> text(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }
}
