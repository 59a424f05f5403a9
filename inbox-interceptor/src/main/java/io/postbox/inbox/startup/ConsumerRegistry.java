package io.postbox.inbox.startup;

import io.postbox.inbox.message.Consumer;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** The consumer names of an application, with their classes. Thread-safe. */
final class ConsumerRegistry {
  private final Map<String, SortedSet<String>> classes = new ConcurrentHashMap<>();

  private final Map<String, Set<Consumer>> said = new ConcurrentHashMap<>();

  /** Registers a class's annotations, unless it cannot be a bean. */
  void add(Class<?> type, Set<Consumer> consumers) {
    if (Modifier.isAbstract(type.getModifiers())) {
      return; // its subclasses inherit the annotation and are registered themselves
    }
    for (Consumer consumer : consumers) {
      classes
          .computeIfAbsent(consumer.name(), name -> new ConcurrentSkipListSet<>())
          .add(type.getName());
      said.computeIfAbsent(consumer.name(), name -> ConcurrentHashMap.newKeySet()).add(consumer);
    }
  }

  /** All annotated uses. */
  Set<String> all() {
    return Set.copyOf(classes.keySet());
  }

  /** The uses of a name; none if it is unknown. */
  Set<Consumer> of(String name) {
    return Set.copyOf(said.getOrDefault(name, Set.of()));
  }

  /** The names used by more than one class, with the classes. */
  Map<String, SortedSet<String>> shared() {
    Map<String, SortedSet<String>> shared = new TreeMap<>(classes);
    shared.values().removeIf(several -> several.size() == 1);
    return shared;
  }
}
