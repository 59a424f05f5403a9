package io.postbox.common.store;

import io.postbox.common.LookupPage;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Searches ordered parts of tables one after the other, a bounded number of rows at a time, so that
 * a search for what has no index of its own never reads a whole table. Each part is read by the
 * index that gives its order: first a statement finds the end of the next slice, then another one
 * selects from the rows up to there. Thread-safe.
 */
public final class SlicedSearch {
  /** How many rows one page examines at most, those that do not match included. */
  public static final int MOST_EXAMINED = 10_000;

  /** How many rows may have come into a slice since its end was found. */
  private static final int COME_MEANWHILE = 1_000;

  /** How many parts one page goes through at most: each costs one or two statements. */
  static final int MOST_PARTS = 100;

  private SlicedSearch() {}

  /** The type of a column that gives an order. */
  public enum Type {
    /** A whole number. */
    NUMBER,
    /** A text. */
    TEXT,
    /** A time. */
    TIME,
    /** A UUID. */
    UUID
  }

  /** A column that gives an order; never null there. */
  public record Column(String name, Type type) {
    /** A whole number. */
    public static Column number(String name) {
      return new Column(name, Type.NUMBER);
    }

    /** A text. */
    public static Column text(String name) {
      return new Column(name, Type.TEXT);
    }

    /** A time. */
    public static Column time(String name) {
      return new Column(name, Type.TIME);
    }

    /** A UUID. */
    public static Column uuid(String name) {
      return new Column(name, Type.UUID);
    }
  }

  /**
   * An ordered part of a table.
   *
   * @param name distinguishes it from the other parts; letters, digits and hyphens
   * @param columns the columns to read of each row, from the alias {@code m}; includes those of the
   *     order and of the filter
   * @param table the qualified name
   * @param base selects the part, by the columns of one index
   * @param leading the columns before the order in an ORDER BY, for H2's sake, with a comma at its
   *     end; may be empty
   * @param order the columns of that index that give the order; unique together
   * @param descending whether the order is reversed
   * @param filter selects among the rows of the part; without any, the part is read as it is
   */
  public record Part(
      String name,
      String columns,
      String table,
      List<Condition> base,
      String leading,
      List<Column> order,
      boolean descending,
      List<Condition> filter) {

    /** The same with another name. */
    public Part named(String other) {
      return new Part(other, columns, table, base, leading, order, descending, filter);
    }

    /** The same in reversed order. */
    public Part reversed() {
      return new Part(name, columns, table, base, leading, order, !descending, filter);
    }

    private String orderBy(boolean reversed) {
      String direction = descending == reversed ? "" : " DESC";
      return order.stream()
          .map(column -> "m." + column.name() + direction)
          .collect(Collectors.joining(", "));
    }

    private String ordered() {
      return order.stream().map(column -> "m." + column.name()).collect(Collectors.joining(", "));
    }

    /** Rows of the part behind a place, up to another one if there is one. */
    private Conditions between(Place after, Optional<Place> upTo) {
      List<Condition> all = new ArrayList<>(base);
      if (!after.isStart()) {
        all.add(compared(descending ? "<" : ">", after));
      }
      upTo.ifPresent(place -> all.add(compared(descending ? ">=" : "<=", place)));
      return new Conditions(all);
    }

    private Condition compared(String operator, Place place) {
      String marks = order.stream().map(column -> "?").collect(Collectors.joining(", "));
      return new Condition(
          "", "(%s) %s (%s)".formatted(ordered(), operator, marks), place.values());
    }

    private String leadingAndOrder() {
      return (descending ? leading.replace(",", " DESC,") : leading) + orderBy(false);
    }
  }

  /** Reads a row. */
  public interface RowReader<T> {
    /** The item that a row of a part holds. */
    T read(Part part, ResultSet row) throws SQLException;
  }

  private record Place(List<Object> values) {
    static final Place START = new Place(List.of());

    boolean isStart() {
      return values.isEmpty();
    }

    static Place of(Part part, ResultSet row) throws SQLException {
      List<Object> values = new ArrayList<>();
      for (Column column : part.order()) {
        values.add(
            switch (column.type()) {
              case NUMBER -> row.getLong(column.name());
              case TEXT -> row.getString(column.name());
              case TIME -> Sql.instant(row, column.name());
              case UUID -> row.getObject(column.name(), UUID.class);
            });
      }
      return new Place(values);
    }
  }

  private record Slice(Place end, int rows) {}

  /**
   * The next page.
   *
   * @param parts all parts, in the order in which they are searched
   * @param after {@link LookupPage#next} of the page before; empty for the first
   * @param size how many rows to return at most
   * @throws IllegalArgumentException if the place is not one of this search
   */
  public static <T> LookupPage<T> page(
      Connection connection, List<Part> parts, RowReader<T> reader, String after, int size)
      throws SQLException {
    List<T> found = new ArrayList<>();
    int index = after.isEmpty() ? 0 : indexOf(parts, after);
    Place place = after.isEmpty() ? Place.START : placeOf(parts.get(index), after);
    int budget = MOST_EXAMINED;
    for (int visited = 0; index < parts.size(); visited++, index++, place = Place.START) {
      Part part = parts.get(index);
      if (visited == MOST_PARTS) {
        return page(found, Optional.of(cursor(part, place)));
      }
      Optional<Slice> slice = Optional.empty();
      if (!part.filter().isEmpty()) {
        slice = slice(connection, part, place, budget);
        if (slice.isEmpty()) {
          continue;
        }
      }
      Read read = read(connection, part, place, slice, reader, found, size);
      if (found.size() == size) {
        return page(found, read.last().map(it -> cursor(part, it)));
      }
      if (read.cutOff().isPresent()) {
        return page(found, read.cutOff().map(it -> cursor(part, it)));
      }
      if (slice.isPresent()) {
        budget -= slice.get().rows();
        if (budget <= 0) {
          return page(found, Optional.of(cursor(part, slice.get().end())));
        }
      }
    }
    return page(found, Optional.empty());
  }

  private static <T> LookupPage<T> page(List<T> found, Optional<String> next) {
    return new LookupPage<>(found, next, Optional.empty());
  }

  /** The next rows of a part, matching or not; empty if there are none. */
  private static Optional<Slice> slice(Connection connection, Part part, Place after, int mostRows)
      throws SQLException {
    Conditions rest = part.between(after, Optional.empty());
    String sql =
        """
        SELECT m.*, COUNT(*) OVER () AS examined
        FROM (
          SELECT %s
          FROM %s m
          WHERE %s
          ORDER BY %s
          FETCH FIRST ? ROWS ONLY) m
        ORDER BY %s
        FETCH FIRST 1 ROW ONLY
        """
            .formatted(
                part.ordered(),
                part.table(),
                rest.asOne(),
                part.leadingAndOrder(),
                part.orderBy(true));
    return Sql.first(
        connection,
        sql,
        row -> new Slice(Place.of(part, row), row.getInt("examined")),
        rest.values(),
        mostRows);
  }

  /**
   * How far a read has come.
   *
   * @param last the place of the last row that matched
   * @param cutOff the place of the last row examined, if others may be between it and the end of
   *     the slice, because more have come than the read takes
   */
  private record Read(Optional<Place> last, Optional<Place> cutOff) {}

  /**
   * Adds the rows that match. The limit of the inner query keeps PostgreSQL to the index that gives
   * the order; it would otherwise rather sort what it finds by another one, however much that is.
   * The row that reaches the limit is read even if it does not match.
   */
  private static <T> Read read(
      Connection connection,
      Part part,
      Place after,
      Optional<Slice> slice,
      RowReader<T> reader,
      List<T> found,
      int size)
      throws SQLException {
    Conditions these = part.between(after, slice.map(Slice::end));
    Conditions filter = new Conditions(slice.isEmpty() ? List.of() : part.filter());
    String rows =
        """
        SELECT %s
        FROM %s m
        WHERE %s
        ORDER BY %s
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(part.columns(), part.table(), these.asOne(), part.leadingAndOrder());
    String sql =
        slice.isEmpty()
            ? rows
            : """
            SELECT m.*
            FROM (
            SELECT m.*, ROW_NUMBER() OVER (ORDER BY %3$s) AS examined,
              CASE WHEN %2$s THEN TRUE ELSE FALSE END AS matches
            FROM (
            %1$s) m) m
            WHERE m.matches OR m.examined = ?
            ORDER BY %3$s
            FETCH FIRST ? ROWS ONLY
            """
                .formatted(rows, filter.asOne(), part.orderBy(false));
    int most = slice.map(Slice::rows).orElse(0) + COME_MEANWHILE;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Sql.bind(
          connection,
          statement,
          filter.values(),
          these.values(),
          new Sql.Values(slice.isEmpty() ? List.of() : List.of(most, most)),
          size - found.size());
      Optional<Place> last = Optional.empty();
      Optional<Place> cutOff = Optional.empty();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Place place = Place.of(part, row);
          if (slice.isEmpty() || row.getBoolean("matches")) {
            found.add(reader.read(part, row));
            last = Optional.of(place);
          }
          if (slice.isPresent() && row.getInt("examined") == most) {
            cutOff = Optional.of(place);
          }
        }
      }
      return new Read(last, cutOff);
    }
  }

  /** The place behind a row, to continue there. */
  public static String after(Part part, ResultSet row) throws SQLException {
    return cursor(part, Place.of(part, row));
  }

  private static String cursor(Part part, Place place) {
    return part.name()
        + place.values().stream()
            .map(value -> String.valueOf(value).getBytes(StandardCharsets.UTF_8))
            .map(octets -> "." + Base64.getUrlEncoder().withoutPadding().encodeToString(octets))
            .collect(Collectors.joining());
  }

  /** Whether a search can go on there: one of its parts has that place. */
  static boolean isOf(List<Part> parts, String cursor) {
    return indexOfPart(parts, cursor) >= 0;
  }

  private static int indexOf(List<Part> parts, String cursor) {
    int index = indexOfPart(parts, cursor);
    if (index < 0) {
      throw strange(null);
    }
    return index;
  }

  private static int indexOfPart(List<Part> parts, String cursor) {
    String name = cursor.split("\\.", 2)[0];
    return parts.stream().map(Part::name).toList().indexOf(name);
  }

  private static Place placeOf(Part part, String cursor) {
    String[] texts = cursor.split("\\.", -1);
    if (texts.length == 1) {
      return Place.START;
    }
    if (texts.length != part.order().size() + 1) {
      throw strange(null);
    }
    try {
      List<Object> values = new ArrayList<>();
      for (int index = 1; index < texts.length; index++) {
        String text =
            new String(Base64.getUrlDecoder().decode(texts[index]), StandardCharsets.UTF_8);
        values.add(
            switch (part.order().get(index - 1).type()) {
              case NUMBER -> Long.valueOf(text);
              case TEXT -> text;
              case TIME -> Instant.parse(text);
              case UUID -> UUID.fromString(text);
            });
      }
      return new Place(values);
    } catch (IllegalArgumentException | DateTimeException unreadable) {
      throw strange(unreadable);
    }
  }

  private static IllegalArgumentException strange(@Nullable Exception cause) {
    return new IllegalArgumentException(
        "The place to continue is not one of this search: it belongs to another filter, or was"
            + " changed. Begin with the first page.",
        cause);
  }
}
