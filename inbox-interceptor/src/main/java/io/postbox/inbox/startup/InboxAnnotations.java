package io.postbox.inbox.startup;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxMode;
import io.postbox.inbox.message.Consumer;
import jakarta.ejb.MessageDriven;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.jms.Message;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The uses of {@code @Inbox} on a class, and their problems.
 *
 * @param consumers the consumers of one class
 * @param uses each guarded method's consumer
 * @param problems why the class cannot be deployed; empty if it can
 */
public record InboxAnnotations(Set<Consumer> consumers, List<Use> uses, List<String> problems) {
  private static final String NOTHING_GUARDED =
      " guards no method: it needs one with a single jakarta.jms.Message parameter";

  /**
   * One use of a consumer's name.
   *
   * @param consumer the annotation
   * @param method the guarded method
   * @param mode the transaction in which a delivery of it is taken
   * @param captures whether its messages are stored there, and handled later
   */
  public record Use(String consumer, String method, TransactionMode mode, boolean captures) {}

  /** Whether the method takes a message and nothing else. */
  public static boolean isGuarded(Method method) {
    return method.getParameterCount() == 1
        && Message.class.isAssignableFrom(method.getParameterTypes()[0]);
  }

  /** The annotation of a guarded method, or else that of its class. */
  public static Consumer consumerOf(Class<?> target, Method method) {
    Inbox inbox = method.getAnnotation(Inbox.class);
    if (inbox == null) {
      inbox = target.getAnnotation(Inbox.class);
    }
    if (inbox == null) {
      inbox = method.getDeclaringClass().getAnnotation(Inbox.class);
    }
    if (inbox == null) {
      throw new InboxException(
          "A message was not handled, because neither "
              + method
              + " nor "
              + target.getName()
              + " has @Inbox itself. Write it there, not on a stereotype.",
          null);
    }
    return Consumer.of(inbox);
  }

  /** Inspects a class that has {@code @Inbox} on itself or on a method. */
  public static InboxAnnotations of(AnnotatedType<?> type) {
    Set<Consumer> consumers = new LinkedHashSet<>();
    List<Use> uses = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Optional.ofNullable(type.getAnnotation(Inbox.class))
        .map(Consumer::of)
        .ifPresent(consumers::add);
    for (AnnotatedMethod<?> method : type.getMethods()) {
      Inbox inbox = method.getAnnotation(Inbox.class);
      if (inbox != null) {
        consumers.add(Consumer.of(inbox));
        uselessOn(method.getJavaMember()).ifPresent(problems::add);
      }
      if (isGuarded(method.getJavaMember())
          && (inbox != null || type.isAnnotationPresent(Inbox.class))) {
        List<String> misfits = IncompatibleAnnotations.of(type, method);
        if (method.getJavaMember().getReturnType() != void.class && captures(type, inbox)) {
          problems.add(
              "mode = CAPTURE on the method %s, which returns something: it does not run, so nobody could return anything; let it return void"
                  .formatted(method.getJavaMember().getName()));
        }
        misfits.stream().filter(it -> !problems.contains(it)).forEach(problems::add);
        useOf(type, method).ifPresent(uses::add);
      }
    }
    if (type.isAnnotationPresent(Inbox.class)) {
      uselessOn(type).ifPresent(problems::add);
    }
    consumers.forEach(consumer -> problems.addAll(consumer.problems()));
    String name = type.getJavaClass().getName();
    return new InboxAnnotations(
        consumers, List.copyOf(uses), problems.stream().map(it -> name + ": " + it).toList());
  }

  private static boolean captures(AnnotatedType<?> type, @Nullable Inbox ofMethod) {
    Inbox inbox = ofMethod == null ? type.getAnnotation(Inbox.class) : ofMethod;
    return inbox != null && inbox.mode() == InboxMode.CAPTURE;
  }

  /** The name of the bean, if its class is annotated as a message-driven one. */
  public static Optional<String> messageDrivenBean(AnnotatedType<?> type) {
    return TransactionMode.isMessageDriven(type)
        ? Optional.of(
            ListenerDiscovery.nameOf(type.getJavaClass(), type.getAnnotation(MessageDriven.class)))
        : Optional.empty();
  }

  private static Optional<String> uselessOn(Method method) {
    return isGuarded(method) || method.isBridge() // the compiler copies annotations to it
        ? Optional.empty()
        : Optional.of("@Inbox on the method " + method.getName() + NOTHING_GUARDED);
  }

  /** The type's methods include those that it inherits. */
  private static Optional<String> uselessOn(AnnotatedType<?> type) {
    Class<?> named = type.getJavaClass();
    if (named.isInterface()) {
      return Optional.of(
          "@Inbox on an interface guards no method, because no class inherits it from there: write"
              + " it on the class");
    }
    return Modifier.isAbstract(named.getModifiers()) // its subclasses may have the method
            || type.getMethods().stream().anyMatch(method -> isGuarded(method.getJavaMember()))
        ? Optional.empty()
        : Optional.of("@Inbox on the class" + NOTHING_GUARDED);
  }

  private static Optional<Use> useOf(AnnotatedType<?> type, AnnotatedMethod<?> method) {
    Class<?> bean = type.getJavaClass();
    return Modifier.isAbstract(bean.getModifiers()) // its subclasses are inspected themselves
            || method.getJavaMember().isBridge()
        ? Optional.empty()
        : TransactionMode.of(type, method)
            .map(
                mode ->
                    use(
                        consumerOf(bean, method.getJavaMember()),
                        bean.getName() + "." + method.getJavaMember().getName(),
                        mode));
  }

  private static Use use(Consumer consumer, String method, TransactionMode mode) {
    return new Use(consumer.name(), method, mode, consumer.captures());
  }
}
