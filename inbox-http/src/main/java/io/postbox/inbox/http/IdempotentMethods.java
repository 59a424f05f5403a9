package io.postbox.inbox.http;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which methods {@link Idempotent} makes idempotent, and which only look like it. */
final class IdempotentMethods {
  static final String WRITE_IT_THERE =
      "Write @Idempotent on the method of the resource's class, or on that class: it has no effect"
          + " on an interface, a stereotype or a method that is overridden.";

  /** Whether a class itself says anything about it; looked up once for each class. */
  private static final ClassValue<Boolean> MENTIONS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            return type.isAnnotationPresent(Idempotent.class)
                || Stream.of(type.getAnnotations()).anyMatch(it -> isMeta(it.annotationType()))
                || Stream.of(type.getDeclaredMethods())
                    .anyMatch(it -> it.isAnnotationPresent(Idempotent.class));
          } catch (LinkageError incomplete) {
            return false; // code that uses the class gets the error
          }
        }
      };

  private IdempotentMethods() {}

  private static boolean isMeta(Class<?> annotation) {
    return annotation.isAnnotationPresent(Idempotent.class);
  }

  /** The settings with which calls of a bean's method are intercepted, if they are. */
  static @Nullable Idempotent settings(Class<?> bean, Method method) {
    Idempotent own = method.getAnnotation(Idempotent.class);
    return own != null ? own : bean.getAnnotation(Idempotent.class);
  }

  /** Whether somebody who reads a class, with all that it extends and implements, would say so. */
  static boolean isMeant(Class<?> bean, Method method) {
    for (Class<?> type : withSupertypes(bean)) {
      if (MENTIONS.get(type)) {
        Method there = declared(type, method);
        if ((there != null && settings(type, there) != null)
            || Stream.of(type.getAnnotations()).anyMatch(it -> isMeta(it.annotationType()))) {
          return true;
        }
      }
    }
    return settings(bean, method) != null;
  }

  static String name(Class<?> bean, Method method) {
    return bean.getName() + "#" + method.getName();
  }

  private static @Nullable Method declared(Class<?> type, Method method) {
    try {
      return type.getDeclaredMethod(method.getName(), method.getParameterTypes());
    } catch (NoSuchMethodException inherited) {
      return null;
    }
  }

  private static Set<Class<?>> withSupertypes(Class<?> bean) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> type = bean; type != null && type != Object.class; type = type.getSuperclass()) {
      all.add(type);
      addInterfaces(type, all);
    }
    return all;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> all) {
    for (Class<?> each : type.getInterfaces()) {
      if (all.add(each)) {
        addInterfaces(each, all);
      }
    }
  }
}
