package io.postbox.test.cdi;

import jakarta.ejb.EJB;
import jakarta.inject.Inject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/** The classes of an application that a test needs as beans. */
public final class BeanClasses {
  private final Set<Class<?>> found = new LinkedHashSet<>();

  private BeanClasses() {}

  /** Some beans and, however far away, the classes that are injected into them. */
  public static Set<Class<?>> of(Class<?>... beans) {
    BeanClasses classes = new BeanClasses();
    Stream.of(beans).forEach(classes::add);
    return classes.found;
  }

  /** The classes that are injected into a test, and what those need. */
  public static Set<Class<?>> injectedInto(Class<?> test) {
    BeanClasses classes = new BeanClasses();
    classes.addInjected(test);
    return classes.found;
  }

  private void add(Class<?> type) {
    if (canBeBean(type) && found.add(type)) {
      addInjected(type);
    }
  }

  private void addInjected(Class<?> type) {
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (field.isAnnotationPresent(Inject.class) || field.isAnnotationPresent(EJB.class)) {
          add(field.getType());
        }
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (constructor.isAnnotationPresent(Inject.class)) {
        Stream.of(constructor.getParameterTypes()).forEach(this::add);
      }
    }
  }

  /** Whether CDI can make a bean of a type; none of the JDK, Jakarta EE and MicroProfile. */
  private static boolean canBeBean(Class<?> type) {
    String name = type.getName();
    return !type.isInterface()
        && !type.isPrimitive()
        && !Modifier.isAbstract(type.getModifiers())
        && Stream.of("java.", "javax.", "jakarta.", "org.eclipse.microprofile.")
            .noneMatch(name::startsWith)
        && Stream.of(type.getDeclaredConstructors()).anyMatch(BeanClasses::makesBeans);
  }

  private static boolean makesBeans(Constructor<?> constructor) {
    return constructor.getParameterCount() == 0 || constructor.isAnnotationPresent(Inject.class);
  }
}
