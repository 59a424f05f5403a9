package io.postbox.test.inbox;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.startup.InboxAnnotations;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A bean with {@code @Inbox}.
 *
 * @param consumer its annotation
 * @param queue the JNDI name of the queue that it listens to
 * @param handler calls it
 */
public record ListenerBean(Consumer consumer, String queue, Handler handler) {
  private static final Set<String> QUEUE_NAMES = Set.of("destinationLookup", "destination");

  /**
   * Inspects a bean.
   *
   * @param type its class
   * @param instance gives the bean for each message
   * @throws IllegalArgumentException if the class has no method that the inbox guards, or several;
   *     or its {@code @Inbox} is one of which a deployment would fail
   */
  public static ListenerBean of(Class<?> type, Supplier<?> instance) {
    List<Method> guarded = guarded(type, type);
    if (guarded.size() != 1) {
      throw new IllegalArgumentException(
          "%s has %s methods with @Inbox, on themselves or on the class, and a jakarta.jms.Message as their only parameter; the test kit needs exactly one."
              .formatted(type.getName(), guarded.isEmpty() ? "no" : guarded.size()));
    }
    Method method = guarded.get(0);
    Consumer consumer = InboxAnnotations.consumerOf(type, method);
    if (!consumer.problems().isEmpty()) {
      throw new IllegalArgumentException(type.getName() + ": " + consumer.problems());
    }
    if (consumer.captures()) {
      throw new IllegalArgumentException(
          "%s has mode = CAPTURE, with which the inbox's workers call an InboxHandler later; the test kit does not run them. Give it a bean with the default mode that calls the same code."
              .formatted(type.getName()));
    }
    method.setAccessible(true); // its class may be nested in a test
    return new ListenerBean(
        consumer,
        queue(type, consumer),
        message -> {
          try {
            method.invoke(instance.get(), message);
          } catch (InvocationTargetException thrown) {
            throw unwrapped(thrown);
          }
        });
  }

  /** Those of the class that declares any, from the bean's up. */
  private static List<Method> guarded(Class<?> type, Class<?> declaring) {
    List<Method> found =
        Stream.of(declaring.getDeclaredMethods())
            .filter(method -> !method.isBridge() && !method.isSynthetic())
            .filter(InboxAnnotations::isGuarded)
            .filter(method -> isAnnotated(type, method))
            .toList();
    Class<?> above = declaring.getSuperclass();
    return found.isEmpty() && above != null ? guarded(type, above) : found;
  }

  private static boolean isAnnotated(Class<?> type, Method method) {
    return method.isAnnotationPresent(Inbox.class)
        || type.isAnnotationPresent(Inbox.class)
        || method.getDeclaringClass().isAnnotationPresent(Inbox.class);
  }

  private static String queue(Class<?> type, Consumer consumer) {
    MessageDriven bean = type.getAnnotation(MessageDriven.class);
    return Arrays.stream(bean == null ? new ActivationConfigProperty[0] : bean.activationConfig())
        .filter(property -> QUEUE_NAMES.contains(property.propertyName()))
        .map(ActivationConfigProperty::propertyValue)
        .findFirst()
        .orElse("jms/" + consumer.name());
  }

  private static Exception unwrapped(InvocationTargetException thrown) {
    if (thrown.getCause() instanceof Error error) {
      throw error;
    }
    return thrown.getCause() instanceof Exception cause ? cause : thrown;
  }
}
