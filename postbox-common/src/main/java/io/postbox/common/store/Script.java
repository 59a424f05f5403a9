package io.postbox.common.store;

import io.postbox.common.config.TableNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A script that creates the tables, split into statements, with the default names. */
public record Script(List<String> statements) {
  private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*$");
  private static final Pattern CREATED_TABLE =
      Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+) \\((.*)\\)", Pattern.DOTALL);
  private static final Pattern MADE =
      Pattern.compile("CREATE (?:TABLE|INDEX) IF NOT EXISTS (\\w+)\\b");
  private static final Pattern COLUMN = Pattern.compile("(?m)^  ([a-z_]+) ");
  private static final Pattern CREATED_INDEX =
      Pattern.compile(
          "CREATE INDEX IF NOT EXISTS (\\w+)\\s+ON (\\w+) \\(([^)]*)\\).*", Pattern.DOTALL);
  private static final Pattern KEY =
      Pattern.compile("CONSTRAINT (\\w+) (?:PRIMARY KEY|UNIQUE) \\(([^)]*)\\)");
  private static final Pattern OWN_NAME =
      Pattern.compile("(INDEX IF NOT EXISTS |CONSTRAINT )?\\b((?:outbox|inbox|postbox)_\\w+)\\b");

  /**
   * Reads a script.
   *
   * @param owner a class of the jar that has it
   * @param resource its name
   */
  public static Script read(Class<?> owner, String resource) {
    try (InputStream in = owner.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing in the jar of " + owner.getName());
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Script(
          Arrays.stream(COMMENT.matcher(text).replaceAll("").split(";"))
              .map(String::strip)
              .filter(statement -> !statement.isEmpty())
              .toList());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Puts the schema and prefix before the tables' names; other names take the prefix only. */
  public List<String> statements(TableNames tables) {
    return statements.stream()
        .map(
            statement ->
                OWN_NAME
                    .matcher(statement)
                    .replaceAll(
                        match ->
                            match.group(1) == null
                                ? tables.qualified(match.group(2))
                                : match.group(1) + tables.prefix() + match.group(2)))
        .toList();
  }

  /**
   * A statement that creates a table or an index.
   *
   * @param made the name, without a schema, of the table or index
   * @param sql the statement
   */
  public record Creation(String made, String sql) {}

  /** The same statements, each with the name of the table or index that it creates. */
  public List<Creation> creations(TableNames tables) {
    List<String> named = statements(tables);
    return IntStream.range(0, named.size())
        .mapToObj(i -> new Creation(tables.prefix() + made(statements.get(i)), named.get(i)))
        .toList();
  }

  private static String made(String statement) {
    Matcher made = MADE.matcher(statement);
    if (!made.lookingAt()) {
      throw new IllegalStateException(
          "The script must only create missing tables and indexes: " + statement);
    }
    return made.group(1);
  }

  /** The names of the columns of each table. */
  public SortedMap<String, Set<String>> columnsByTable() {
    SortedMap<String, Set<String>> tables = new TreeMap<>();
    for (String statement : statements) {
      Matcher table = CREATED_TABLE.matcher(statement);
      if (table.matches()) {
        Set<String> columns = new TreeSet<>();
        COLUMN.matcher(table.group(2)).results().forEach(column -> columns.add(column.group(1)));
        tables.put(table.group(1), columns);
      }
    }
    return tables;
  }

  /**
   * An index, or a key.
   *
   * @param name its name
   * @param table its table
   * @param columns its columns, in order
   * @param unique whether it refuses duplicate values
   */
  public record Index(String name, String table, List<String> columns, boolean unique) {

    /** Whether another index can replace it. */
    public boolean isServedBy(Index other) {
      return unique
          ? other.unique() && Set.copyOf(other.columns()).equals(Set.copyOf(columns))
          : other.columns().size() >= columns.size()
              && other.columns().subList(0, columns.size()).equals(columns);
    }
  }

  /** The indexes and unique keys of the tables, except keys on a generated number. */
  public List<Index> indexes() {
    List<Index> indexes = new ArrayList<>();
    for (String statement : statements) {
      Matcher index = CREATED_INDEX.matcher(statement);
      if (index.matches()) {
        indexes.add(new Index(index.group(1), index.group(2), columns(index.group(3)), false));
      }
      Matcher table = CREATED_TABLE.matcher(statement);
      if (table.matches()) {
        KEY.matcher(table.group(2))
            .results()
            .filter(key -> !key.group(2).equals("id"))
            .forEach(
                key ->
                    indexes.add(
                        new Index(key.group(1), table.group(1), columns(key.group(2)), true)));
      }
    }
    return indexes;
  }

  private static List<String> columns(String list) {
    return List.of(list.strip().split("\\s*,\\s*"));
  }
}
