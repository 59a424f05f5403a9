package io.postbox.common;

import java.io.Serializable;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects messages that meet all criteria. Immutable and thread-safe. Texts compare exactly, letter
 * case included.
 *
 * @param <C> the possible criteria
 */
public abstract class MessageFilter<C extends Enum<C>> implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int MOST_IDS = 1_000;

  private final Map<C, Object> criteria;

  /**
   * @param criteria the criteria; not copied
   */
  protected MessageFilter(Map<C, Object> criteria) {
    this.criteria = criteria;
  }

  /** The criteria, in their declared order. */
  public final Map<C, Object> criteria() {
    return criteria;
  }

  /** The criteria, and one more. */
  protected final Map<C, Object> and(C criterion, Object value) {
    Objects.requireNonNull(value, () -> criterion.name());
    Map<C, Object> more = new EnumMap<>(criterion.getDeclaringClass());
    more.putAll(criteria);
    more.put(criterion, value);
    return Collections.unmodifiableMap(more);
  }

  /**
   * Copies ids.
   *
   * @throws IllegalArgumentException if there are none, or more than 1,000
   */
  protected static <I> Set<I> checked(Collection<I> ids) {
    Set<I> wanted = Set.copyOf(ids);
    if (wanted.isEmpty() || wanted.size() > MOST_IDS) {
      throw new IllegalArgumentException(
          "A filter takes 1 to %s ids, and not %s".formatted(MOST_IDS, wanted.size()));
    }
    return wanted;
  }

  /** A criterion's readable name, for instance {@code event-type}. */
  public static String name(Enum<?> criterion) {
    return criterion.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof MessageFilter<?> filter
        && filter.getClass() == getClass()
        && filter.criteria.equals(criteria);
  }

  @Override
  public final int hashCode() {
    return criteria.hashCode();
  }

  /** Readable, for instance {@code destination=shipping, event-type=OrderPlaced}. */
  @Override
  public final String toString() {
    return criteria.isEmpty()
        ? "all"
        : criteria.entrySet().stream()
            .map(each -> name(each.getKey()) + "=" + each.getValue())
            .collect(Collectors.joining(", "));
  }
}
