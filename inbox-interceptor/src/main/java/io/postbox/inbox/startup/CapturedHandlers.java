package io.postbox.inbox.startup;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxHandler;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Bean;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The methods with {@link InboxHandler}, found while the container discovers beans. Thread-safe.
 */
public final class CapturedHandlers {
  private final Map<String, SortedSet<String>> methods = new ConcurrentHashMap<>();
  private final Map<String, CapturedHandler> handlers = new ConcurrentHashMap<>();
  private final Set<String> problems = ConcurrentHashMap.newKeySet();

  /**
   * A handler.
   *
   * @param bean the bean that has the method
   * @param method a method of one of the bean's types
   */
  public record CapturedHandler(Bean<?> bean, Method method) {}

  /** Inspects the methods of a bean. */
  void found(Bean<?> bean, AnnotatedType<?> type) {
    for (AnnotatedMethod<?> annotated : type.getMethods()) {
      InboxHandler handler = annotated.getAnnotation(InboxHandler.class);
      if (handler != null && !annotated.getJavaMember().isBridge()) {
        found(bean, type, annotated, handler.value());
      }
    }
  }

  private void found(
      Bean<?> bean, AnnotatedType<?> type, AnnotatedMethod<?> annotated, String consumer) {
    Method method = annotated.getJavaMember();
    String name = type.getJavaClass().getName() + "." + method.getName();
    methods.computeIfAbsent(consumer, missing -> new ConcurrentSkipListSet<>()).add(name);
    String says = name + ": @InboxHandler(\"" + consumer + "\") ";
    if (method.getParameterCount() != 1
        || method.getParameterTypes()[0] != CapturedMessage.class
        || !Modifier.isPublic(method.getModifiers())
        || !Modifier.isPublic(method.getDeclaringClass().getModifiers())
        || Modifier.isStatic(method.getModifiers())) {
      problems.add(
          says
              + "needs a public instance method of a public class, with an"
              + " io.postbox.inbox.CapturedMessage as its only parameter");
    }
    IncompatibleAnnotations.ofHandler(type, annotated)
        .forEach(problem -> problems.add(says + problem));
    Optional<Method> callable = callable(bean, method);
    if (callable.isEmpty()) {
      problems.add(
          says
              + "cannot be called: no type of the bean has the method; add it to the bean's local"
              + " interface, or annotate the bean with @LocalBean");
    } else {
      handlers.put(consumer, new CapturedHandler(bean, callable.get()));
    }
  }

  /** The method as one of the bean's types has it: a session bean may have only an interface. */
  private static Optional<Method> callable(Bean<?> bean, Method method) {
    if (bean.getTypes().contains(method.getDeclaringClass())) {
      return Optional.of(method);
    }
    return bean.getTypes().stream()
        .filter(Class.class::isInstance)
        .map(Class.class::cast)
        .flatMap(type -> Set.of(((Class<?>) type).getMethods()).stream())
        .filter(
            other ->
                other.getName().equals(method.getName())
                    && other.getParameterCount() == 1
                    && other.getParameterTypes()[0] == CapturedMessage.class)
        .findFirst();
  }

  /**
   * The problems; empty if each capturing consumer has one handler, and there is no other.
   *
   * @param capturing the consumers whose messages are captured
   * @param handling the consumers whose messages are handled at their delivery
   * @param others whether there may be further capturing consumers, without a listener, which only
   *     code knows
   */
  Collection<String> problems(
      Collection<String> capturing, Collection<String> handling, boolean others) {
    SortedSet<String> all = new TreeSet<>(problems);
    for (String consumer : capturing) {
      if (!methods.containsKey(consumer)) {
        all.add(
            "the consumer '%1$s' has mode = CAPTURE and no handler: give a public method of a CDI bean or session bean @InboxHandler(\"%1$s\") and a CapturedMessage as its only parameter"
                .formatted(consumer));
      }
      if (handling.contains(consumer)) {
        all.add(
            "the consumer '%s' has mode = CAPTURE at one place and not at another: give all its @Inbox the same mode"
                .formatted(consumer));
      }
    }
    methods.forEach(
        (consumer, names) -> {
          if (names.size() > 1) {
            all.add(
                "the consumer '%s' has %s handlers, %s: leave @InboxHandler on one of them"
                    .formatted(consumer, names.size(), String.join(" and ", names)));
          }
          if (!capturing.contains(consumer) && (!others || handling.contains(consumer))) {
            all.add(
                "%s has @InboxHandler(\"%s\"), and no @Inbox with mode = CAPTURE has that name: write @Inbox(value = \"%s\", mode = CAPTURE) on its listener, or if it has none, have InboxGuard.capture called"
                    .formatted(names.first(), consumer, consumer));
          }
        });
    return all;
  }

  /** The consumers with a handler. */
  public SortedSet<String> consumers() {
    return new TreeSet<>(handlers.keySet());
  }

  /** The handler of a consumer. */
  public Optional<CapturedHandler> of(String consumer) {
    return Optional.ofNullable(handlers.get(consumer));
  }
}
