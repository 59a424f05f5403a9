package io.postbox.inbox.startup;

import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A class as a container sees it if no extension has changed it. */
final class FakeType {
  private FakeType() {}

  /** The class with its methods and those of its superclasses. */
  static AnnotatedType<?> of(Class<?> bean) {
    Set<Object> methods = new HashSet<>();
    for (Class<?> type = bean; type != null && type != Object.class; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        methods.add(
            annotated(AnnotatedMethod.class, method, Map.of("getJavaMember", () -> method)));
      }
    }
    return annotated(
        AnnotatedType.class, bean, Map.of("getJavaClass", () -> bean, "getMethods", () -> methods));
  }

  @SuppressWarnings("unchecked") // the container's types are generic where ours need not be
  private static <T> T annotated(
      Class<?> type, AnnotatedElement element, Map<String, Supplier<Object>> answers) {
    return (T)
        Proxy.newProxyInstance(
            FakeType.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getAnnotation" ->
                      element.getAnnotation((Class<? extends Annotation>) arguments[0]);
                  case "isAnnotationPresent" ->
                      element.isAnnotationPresent((Class<? extends Annotation>) arguments[0]);
                  case "getAnnotations" -> Set.of(element.getAnnotations());
                  case "hashCode" -> element.hashCode();
                  case "equals" -> proxy == arguments[0];
                  default -> answers.get(method.getName()).get();
                });
  }
}
