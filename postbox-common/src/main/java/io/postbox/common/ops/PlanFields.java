package io.postbox.common.ops;

import io.postbox.common.MessageFilter;
import io.postbox.common.text.FlatJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The fields of a plan of messages, as its row has them. Not thread-safe. */
public final class PlanFields {
  private final Map<String, String> fields;

  private PlanFields(Map<String, String> fields) {
    this.fields = fields;
  }

  /** Those of a new plan: the criteria of its filter. */
  public static PlanFields of(MessageFilter<?> filter) {
    Map<String, String> fields = new LinkedHashMap<>();
    filter
        .criteria()
        .forEach(
            (criterion, value) ->
                fields.put(
                    MessageFilter.name(criterion),
                    value instanceof Set<?> ids
                        ? ids.stream().map(Object::toString).collect(Collectors.joining(" "))
                        : value.toString()));
    return new PlanFields(fields);
  }

  /** Those in a row. */
  public static PlanFields parse(String json) {
    return new PlanFields(FlatJson.parse(json));
  }

  /** Adds one. */
  public PlanFields with(String name, Object value) {
    fields.put(name, value.toString());
    return this;
  }

  /** Whether it is there. */
  public boolean has(String name) {
    return fields.containsKey(name);
  }

  /** One that is there. */
  public String get(String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }

  /** The value of a criterion that is there. */
  public String get(Enum<?> criterion) {
    return get(MessageFilter.name(criterion));
  }

  /** Adds a criterion to a filter. */
  @FunctionalInterface
  public interface Criterion<C, F> {
    /** The filter with one more. */
    F and(F filter, C criterion, String value);
  }

  /**
   * The filter of which {@link #of} has written the criteria.
   *
   * @param all without any
   * @param criteria all that there are
   */
  public <C extends Enum<C>, F> F filter(F all, C[] criteria, Criterion<C, F> criterion) {
    F filter = all;
    for (C each : criteria) {
      if (has(MessageFilter.name(each))) {
        filter = criterion.and(filter, each, get(each));
      }
    }
    return filter;
  }

  /** As a row has them. */
  public String toJson() {
    return FlatJson.of(fields);
  }
}
