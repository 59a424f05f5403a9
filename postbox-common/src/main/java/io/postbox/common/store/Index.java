package io.postbox.common.store;

import io.postbox.common.store.SlicedSearch.Column;
import io.postbox.common.store.SlicedSearch.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An index, by which searches and erasures read a table in its order. Immutable.
 *
 * @param name that of the parts that it gives
 * @param table the qualified name
 * @param has the conditions of all rows that it gives
 * @param equal columns that have to be named, and are compared as they are named
 * @param range columns that have to be named, the first ones of the order
 * @param leading the columns before the order in an ORDER BY, for H2's sake, with a comma at its
 *     end; may be empty
 * @param order the columns that give the order; unique together
 * @param isUnsliced whether what is named has few rows there, which are read without slices
 */
public record Index(
    String name,
    String table,
    List<Condition> has,
    Set<String> equal,
    Set<String> range,
    String leading,
    List<Column> order,
    boolean isUnsliced) {

  /** An index that gives all rows of a table. */
  public static Index of(String name, String table, Column... order) {
    return new Index(name, table, List.of(), Set.of(), Set.of(), "", List.of(order), false);
  }

  /** Gives only rows that meet conditions, too. */
  public Index having(Condition... conditions) {
    List<Condition> both = Stream.concat(has.stream(), Stream.of(conditions)).toList();
    return new Index(name, table, both, equal, range, leading, order, isUnsliced);
  }

  /** Takes columns that have to be named. */
  public Index equal(String... columns) {
    return new Index(name, table, has, Set.of(columns), range, leading, order, isUnsliced);
  }

  /** Takes columns that have to be named, the first ones of the order. */
  public Index range(String... columns) {
    return new Index(name, table, has, equal, Set.of(columns), leading, order, isUnsliced);
  }

  /** Has columns before the order in an ORDER BY. */
  public Index leading(String columns) {
    return new Index(name, table, has, equal, range, columns, order, isUnsliced);
  }

  /** Has few rows of what is named: they are read without slices. */
  public Index unsliced() {
    return new Index(name, table, has, equal, range, leading, order, true);
  }

  /** The first of these that can be read by what is named. */
  public static Index first(List<Index> indexes, Conditions named) {
    return indexes.stream()
        .filter(index -> index.isNamedBy(named))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("No index for " + named));
  }

  private boolean isNamedBy(Conditions named) {
    return Stream.concat(equal.stream(), range.stream())
        .allMatch(column -> named.all().stream().anyMatch(each -> isOn(column, each)));
  }

  /**
   * The part of the table to search. The conditions on the first columns of the order are ranges,
   * so that PostgreSQL reads no other index.
   *
   * @param columns to read of each row, with those of the order and of all conditions
   * @param named what is searched
   */
  public Part part(String columns, Conditions named) {
    List<Condition> base = new ArrayList<>(has);
    List<Condition> filter = new ArrayList<>();
    Set<String> first = first(named);
    for (Condition each : named.all()) {
      if (equal.stream().anyMatch(column -> isOn(column, each))) {
        base.add(each);
      } else if (first.stream().anyMatch(column -> isOn(column, each))) {
        base.add(each.asRange());
      } else {
        (isUnsliced ? base : filter).add(each);
      }
    }
    return new Part(name, columns, table, base, leading, order, false, filter);
  }

  /** The columns of the order up to the first that has not one value. */
  private Set<String> first(Conditions named) {
    List<Condition> all = Stream.concat(has.stream(), named.all().stream()).toList();
    Set<String> columns = new HashSet<>();
    for (Column column : order) {
      columns.add(column.name());
      if (!isOneValue(column.name(), all)) {
        break;
      }
    }
    return columns;
  }

  private static boolean isOneValue(String column, List<Condition> by) {
    return by.stream().anyMatch(each -> isOn(column, each) && each.isOneValue());
  }

  private static boolean isOn(String column, Condition condition) {
    return condition.column().equals("m." + column);
  }
}
