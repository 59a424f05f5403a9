package io.postbox.inbox.startup;

import io.postbox.inbox.MessageIdResolver;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The resolvers of ids. Collected when the container finds them, because this module cannot see the
 * beans of all other modules. Thread-safe.
 */
final class MessageIdResolvers {
  private final Set<Bean<?>> beans = ConcurrentHashMap.newKeySet();
  private final Set<Class<? extends MessageIdResolver>> wanted = ConcurrentHashMap.newKeySet();
  private final Map<Class<?>, MessageIdResolver> made = new ConcurrentHashMap<>();

  /** Notes a bean. */
  void found(Bean<?> bean) {
    beans.add(bean);
  }

  /** Notes a class that an {@code @Inbox} names. */
  void wanted(Class<? extends MessageIdResolver> type) {
    wanted.add(type);
  }

  /** The problems; empty if there is one bean for each resolver. */
  Set<String> problems() {
    Set<String> problems = new TreeSet<>();
    for (Class<? extends MessageIdResolver> type : wanted) {
      List<Bean<?>> candidates = candidates(type);
      if (candidates.isEmpty()) {
        problems.add(
            "resolver = %s is no CDI bean: give it a scope, for instance @ApplicationScoped"
                .formatted(type.getName()));
      } else if (candidates.size() > 1) {
        problems.add(
            "resolver = %s matches %s beans (%s): name the class of one of them"
                .formatted(type.getName(), candidates.size(), classes(candidates)));
      }
    }
    return problems;
  }

  /** The only resolver of a class. */
  MessageIdResolver of(Class<? extends MessageIdResolver> type, BeanManager manager) {
    return made.computeIfAbsent(
        type,
        missing -> {
          Bean<?> bean = candidates(type).get(0);
          return type.cast(manager.getReference(bean, type, manager.createCreationalContext(bean)));
        });
  }

  private List<Bean<?>> candidates(Class<?> type) {
    return beans.stream().filter(bean -> bean.getTypes().contains(type)).toList();
  }

  private static Set<String> classes(List<Bean<?>> beans) {
    Set<String> names = new TreeSet<>();
    beans.forEach(bean -> names.add(bean.getBeanClass().getName()));
    return names;
  }
}
