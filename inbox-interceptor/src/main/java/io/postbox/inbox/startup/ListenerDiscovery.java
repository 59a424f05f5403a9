package io.postbox.inbox.startup;

import io.postbox.inbox.InboxGuard;
import jakarta.ejb.MessageDriven;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the message-driven beans that pass their messages on to guarded beans: those that have one
 * of them, {@link InboxGuard}, or another bean that leads to one injected. It does not find beans
 * that are looked up in another way. Thread-safe.
 */
final class ListenerDiscovery {
  private static final Set<String> INJECTS = Set.of("jakarta.inject.Inject", "jakarta.ejb.EJB");

  private final Set<Class<?>> seen = ConcurrentHashMap.newKeySet();
  private final Set<Class<?>> guarded = ConcurrentHashMap.newKeySet();

  /** Notes a class of the application, which may become a bean. */
  void seen(Class<?> type) {
    seen.add(type);
  }

  /** Notes a class that has {@code @Inbox}. */
  void guarded(Class<?> type) {
    guarded.add(type);
  }

  /** The names of the message-driven beans that are not guarded and lead to a guarded one. */
  Set<String> listeners() {
    return seen.stream()
        .filter(type -> TransactionMode.isMessageDriven(type) && !guarded.contains(type))
        .filter(this::leadsToGuarded)
        .map(type -> nameOf(type, type.getDeclaredAnnotation(MessageDriven.class)))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The server's name of a message-driven bean. */
  static String nameOf(Class<?> bean, MessageDriven annotation) {
    return annotation.name().isEmpty() ? bean.getSimpleName() : annotation.name();
  }

  private boolean leadsToGuarded(Class<?> from) {
    Set<Class<?>> visited = new HashSet<>();
    Deque<Class<?>> next = new ArrayDeque<>(Set.of(from));
    while (!next.isEmpty()) {
      Class<?> bean = next.remove();
      if (!visited.add(bean)) {
        continue;
      }
      for (Class<?> injected : injectedInto(bean)) {
        if (injected == InboxGuard.class) {
          return true;
        }
        Collection<Class<?>> candidates = candidates(injected);
        if (candidates.stream().anyMatch(guarded::contains)) {
          return true;
        }
        next.addAll(candidates);
      }
    }
    return false;
  }

  /** The types that may be injected; unknown if any type may. */
  private Collection<Class<?>> candidates(Class<?> injected) {
    return injected == Object.class
        ? Set.of()
        : seen.stream().filter(injected::isAssignableFrom).toList();
  }

  private static Set<Class<?>> injectedInto(Class<?> bean) {
    Set<Class<?>> found = new HashSet<>();
    try {
      for (Class<?> type = bean;
          type != null && type != Object.class;
          type = type.getSuperclass()) {
        for (Field field : type.getDeclaredFields()) {
          addIfInjected(field, Stream.of(field.getGenericType()), found);
        }
        for (Method method : type.getDeclaredMethods()) {
          addIfInjected(method, Arrays.stream(method.getGenericParameterTypes()), found);
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
          addIfInjected(constructor, Arrays.stream(constructor.getGenericParameterTypes()), found);
        }
      }
    } catch (LinkageError | TypeNotPresentException incomplete) {
      return found; // the container reports the problem in more detail
    }
    return found;
  }

  private static void addIfInjected(
      AnnotatedElement element, Stream<Type> types, Set<Class<?>> found) {
    if (Stream.of(element.getAnnotations())
        .anyMatch(it -> INJECTS.contains(it.annotationType().getName()))) {
      types.forEach(type -> addRaw(type, found));
    }
  }

  /** A type with its type arguments, as in {@code Instance<Clerk>}. */
  private static void addRaw(Type type, Set<Class<?>> found) {
    if (type instanceof Class<?> raw) {
      found.add(raw);
    } else if (type instanceof ParameterizedType parameterized) {
      addRaw(parameterized.getRawType(), found);
      Stream.of(parameterized.getActualTypeArguments()).forEach(each -> addRaw(each, found));
    } else if (type instanceof WildcardType wildcard) {
      Stream.of(wildcard.getUpperBounds()).forEach(each -> addRaw(each, found));
    } else if (type instanceof GenericArrayType array) {
      addRaw(array.getGenericComponentType(), found);
    }
  }
}
