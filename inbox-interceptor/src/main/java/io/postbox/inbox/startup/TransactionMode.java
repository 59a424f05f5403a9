package io.postbox.inbox.startup;

import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.inject.spi.Annotated;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.lang.annotation.Annotation;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The transaction in which a delivery is handled. */
public enum TransactionMode {
  /** The transaction that the container began before it called the inbox. */
  JOINED("in the container's transaction"),

  /** A transaction that the inbox begins, and commits before the message is acknowledged. */
  OWN("in a transaction of the inbox's own"),

  /**
   * The caller's transaction, or one of the inbox's own if the caller has none; decided at each
   * call.
   */
  CALLERS("in the caller's transaction, or in one of the inbox's own where there is none");

  private static final String MESSAGE_DRIVEN = "jakarta.ejb.MessageDriven";
  private static final Set<String> SESSION_BEANS =
      Set.of("jakarta.ejb.Stateless", "jakarta.ejb.Stateful", "jakarta.ejb.Singleton");

  private final String text;

  TransactionMode(String text) {
    this.text = text;
  }

  /** For a log line. */
  public String text() {
    return text;
  }

  /**
   * The mode of a guarded method by its annotations; empty if none works. A message-driven bean can
   * only join the container's transaction or have none, because the container offers nothing else.
   */
  public static Optional<TransactionMode> of(AnnotatedType<?> type, AnnotatedMethod<?> method) {
    if (isMessageDriven(type)) {
      return switch (attribute(type, method)) {
        case REQUIRED -> Optional.of(JOINED);
        case NOT_SUPPORTED -> Optional.of(OWN);
        default -> Optional.empty();
      };
    }
    return Optional.of(
        isSessionBean(type)
            ? modeOf(attribute(type, method).name())
            : nearest(type, method, Transactional.class)
                .map(it -> modeOf(it.value().name()))
                .orElse(CALLERS));
  }

  /** Whether a method that is called in a transaction runs in that transaction. */
  static boolean staysInTransaction(AnnotatedType<?> type, AnnotatedMethod<?> method) {
    String attribute =
        isSessionBean(type)
            ? attribute(type, method).name()
            : nearest(type, method, Transactional.class).map(it -> it.value().name()).orElse("");
    return !Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER").contains(attribute);
  }

  /** The value of {@code @TransactionAttribute}, or the default. */
  public static TransactionAttributeType attribute(
      AnnotatedType<?> type, AnnotatedMethod<?> method) {
    return nearest(type, method, TransactionAttribute.class)
        .map(TransactionAttribute::value)
        .orElse(TransactionAttributeType.REQUIRED);
  }

  /** By name, because a server without enterprise beans need not have the annotations. */
  public static boolean isMessageDriven(AnnotatedType<?> type) {
    return namesOn(type).anyMatch(MESSAGE_DRIVEN::equals);
  }

  /** Whether the class itself, and not a superclass, is message-driven. */
  public static boolean isMessageDriven(Class<?> bean) {
    return Stream.of(bean.getDeclaredAnnotations())
        .anyMatch(it -> it.annotationType().getName().equals(MESSAGE_DRIVEN));
  }

  private static boolean isSessionBean(AnnotatedType<?> type) {
    return namesOn(type).anyMatch(SESSION_BEANS::contains);
  }

  /** The names of all annotations. */
  public static Stream<String> namesOn(Annotated annotated) {
    return annotated.getAnnotations().stream().map(it -> it.annotationType().getName());
  }

  /** Both kinds of annotation have the same six names. */
  private static TransactionMode modeOf(String attribute) {
    return switch (TxType.valueOf(attribute)) {
      case REQUIRED, REQUIRES_NEW, MANDATORY -> JOINED;
      case NOT_SUPPORTED, NEVER -> OWN;
      case SUPPORTS -> CALLERS;
    };
  }

  private static <A extends Annotation> Optional<A> nearest(
      AnnotatedType<?> type, AnnotatedMethod<?> method, Class<A> annotation) {
    return Stream.of(method, type)
        .filter(it -> it.isAnnotationPresent(annotation))
        .map(it -> it.getAnnotation(annotation))
        .findFirst();
  }
}
