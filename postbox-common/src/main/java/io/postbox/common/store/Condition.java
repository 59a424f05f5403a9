package io.postbox.common.store;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A condition on the alias {@code m}.
 *
 * @param column the column that it compares, for instance {@code m.id}; empty if it is of none
 * @param sql with a question mark for each value
 * @param values as {@link Sql} takes them
 */
public record Condition(String column, String sql, List<Object> values) {
  private static final Pattern COMPARISON = Pattern.compile("(^|_)(from|before|contains)$");

  /** Keeps a copy. */
  public Condition {
    values = List.copyOf(values);
  }

  /** A condition on no column of an index. */
  public static Condition of(String sql, Object... values) {
    return new Condition("", sql, List.of(values));
  }

  /** That a column, with its alias, has a value or one of an {@link Sql.Array}. */
  public static Condition equal(String column, Object value) {
    return compared(column, value instanceof Sql.Array ? "= ANY (?)" : "= ?", value);
  }

  /** That a column, with its alias, has a time or a later one. */
  public static Condition from(String column, Object time) {
    return compared(column, ">= ?", time);
  }

  /** That a column, with its alias, has a time or an earlier one. */
  public static Condition until(String column, Object time) {
    return compared(column, "<= ?", time);
  }

  /**
   * The condition of a filter's criterion. Criteria have the names of their columns; {@code X_FROM}
   * and {@code X_BEFORE} are bounds of the time {@code X}, and {@code X_CONTAINS} is a part of the
   * text {@code X}.
   *
   * @param columns with their alias, the columns or terms of those with another name
   */
  static Condition of(Enum<?> criterion, Object value, Map<String, String> columns) {
    String name = criterion.name().toLowerCase(Locale.ROOT);
    String what = COMPARISON.matcher(name).replaceFirst("");
    String column = columns.getOrDefault(what, "m." + what);
    if (name.endsWith("from")) {
      return compared(column, ">= ?", value);
    }
    if (name.endsWith("before")) {
      return compared(column, "< ?", value);
    }
    if (name.endsWith("contains")) {
      return compared(column, "LIKE ? ESCAPE '!'", LikePattern.containing((String) value));
    }
    return value instanceof Collection<?> several
        ? compared(column, "= ANY (?)", array(several))
        : compared(column, "= ?", value);
  }

  private static Sql.Array array(Collection<?> several) {
    return several.iterator().next() instanceof UUID
        ? Sql.ids(several)
        : new Sql.Array("VARCHAR", several);
  }

  private static Condition compared(String column, String comparison, Object value) {
    return new Condition(column, column + " " + comparison, List.of(value));
  }

  /** Whether it allows one value of its column. */
  boolean isOneValue() {
    return sql.equals(column + " = ?");
  }

  /** The same, but one value as a range. */
  Condition asRange() {
    return isOneValue()
        ? new Condition(column, column + " BETWEEN ? AND ?", List.of(values.get(0), values.get(0)))
        : this;
  }
}
