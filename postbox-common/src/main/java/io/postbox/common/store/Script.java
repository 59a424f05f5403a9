package io.postbox.common.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Script.Creation.Kind;
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
  private static final Pattern ADDED_COLUMN =
      Pattern.compile("ALTER TABLE (\\w+)\\s+ADD COLUMN IF NOT EXISTS (\\w+)\\s.*", Pattern.DOTALL);
  private static final Pattern NOTED =
      Pattern.compile("UPDATE postbox_schema SET minor_version = .*", Pattern.DOTALL);
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
    return read(owner.getClassLoader(), resource);
  }

  /**
   * Reads a script.
   *
   * @param jar has it
   * @param resource its name
   */
  public static Script read(ClassLoader jar, String resource) {
    try (InputStream in = jar.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing in the jar");
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
   * A statement that adds something.
   *
   * @param kind of what it adds
   * @param made the name, without a schema, of the table or index; of a column that of its table, a
   *     dot and its own
   * @param sql the statement
   */
  public record Creation(Kind kind, String made, String sql) {
    /** The kind of object that a statement adds. */
    public enum Kind {
      TABLE,
      INDEX,
      COLUMN,
      /** Nothing: it notes the tables' new version. */
      NOTE
    }
  }

  /** The same statements, each with what it adds. */
  public List<Creation> creations(TableNames tables) {
    List<String> named = statements(tables);
    return IntStream.range(0, named.size())
        .mapToObj(i -> creation(statements.get(i), tables.prefix(), named.get(i)))
        .toList();
  }

  private static Creation creation(String statement, String prefix, String named) {
    Matcher made = MADE.matcher(statement);
    if (made.lookingAt()) {
      Kind kind = statement.startsWith("CREATE TABLE") ? Kind.TABLE : Kind.INDEX;
      return new Creation(kind, prefix + made.group(1), named);
    }
    Matcher added = ADDED_COLUMN.matcher(statement);
    if (added.matches()) {
      return new Creation(Kind.COLUMN, prefix + added.group(1) + "." + added.group(2), named);
    }
    if (NOTED.matcher(statement).matches()) {
      return new Creation(Kind.NOTE, prefix + "postbox_schema", named);
    }
    throw new IllegalStateException(
        "The script must only add missing tables, columns and indexes: " + statement);
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
      Matcher added = ADDED_COLUMN.matcher(statement);
      if (added.matches()) {
        tables.computeIfAbsent(added.group(1), none -> new TreeSet<>()).add(added.group(2));
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
