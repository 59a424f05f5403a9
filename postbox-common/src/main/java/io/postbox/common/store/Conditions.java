package io.postbox.common.store;

import io.postbox.common.MessageFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Conditions on the alias {@code m} that all have to be met, in the order of their parameters.
 *
 * @param all may be none
 */
public record Conditions(List<Condition> all) {
  /** Selects everything. */
  public static final Conditions NONE = new Conditions(List.of());

  /** Keeps a copy. */
  public Conditions {
    all = List.copyOf(all);
  }

  /** These conditions. */
  public static Conditions of(Condition... all) {
    return new Conditions(List.of(all));
  }

  /** A filter's, by {@linkplain Condition#of(Enum, Object, Map) the names of its criteria}. */
  public static Conditions of(MessageFilter<?> filter, Map<String, String> columns) {
    return new Conditions(
        filter.criteria().entrySet().stream()
            .map(each -> Condition.of(each.getKey(), each.getValue(), columns))
            .toList());
  }

  /** Those that are not on a column. */
  public Conditions without(String column) {
    return new Conditions(all.stream().filter(each -> !each.column().equals(column)).toList());
  }

  /** These and more. */
  public Conditions and(Condition... more) {
    return and(List.of(more));
  }

  /** These and more. */
  public Conditions and(Collection<Condition> more) {
    List<Condition> both = new ArrayList<>(all);
    both.addAll(more);
    return new Conditions(both);
  }

  /** To follow other conditions of a statement: begins with {@code AND}, or is empty. */
  public String sql() {
    return all.stream().map(each -> " AND " + each.sql()).collect(Collectors.joining());
  }

  /** As one condition. */
  String asOne() {
    return all.isEmpty()
        ? "1 = 1"
        : all.stream().map(Condition::sql).collect(Collectors.joining(" AND "));
  }

  /** The parameters. */
  public Sql.Values values() {
    return new Sql.Values(all.stream().flatMap(each -> each.values().stream()).toList());
  }
}
