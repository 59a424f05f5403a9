package io.postbox.inbox.startup;

import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Annotations that are incompatible with {@code @Inbox} on a method. */
final class IncompatibleAnnotations {
  private static final String TOO_EARLY =
      " would let the message be acknowledged before it is handled, so that a crash or a failure"
          + " loses it: remove it";
  private static final String WITHIN =
      " would retry within the transaction that the first failure has marked for rollback: remove"
          + " it, and the message is redelivered after the rollback; postbox.inbox.backoff.first"
          + " and max-attempts set when and how often";

  /** By name, because neither the module nor the server need have them. */
  private static final Map<String, String> ANNOTATIONS =
      Map.of(
          "jakarta.ejb.Asynchronous", TOO_EARLY,
          "jakarta.enterprise.concurrent.Asynchronous", TOO_EARLY,
          "org.eclipse.microprofile.faulttolerance.Asynchronous", TOO_EARLY,
          "org.eclipse.microprofile.faulttolerance.Retry", WITHIN);

  private IncompatibleAnnotations() {}

  /** Why the inbox cannot guard a method of a class; empty if it can. */
  static List<String> of(AnnotatedType<?> type, AnnotatedMethod<?> method) {
    return Stream.of(
            managesItsTransactions(type).stream(),
            TransactionMode.of(type, method).isEmpty()
                ? Stream.of(keptAway(type, method))
                : Stream.<String>empty(),
            listed(type, method))
        .flatMap(found -> found)
        .toList();
  }

  /** Why a method cannot handle captured messages; empty if it can. */
  static List<String> ofHandler(AnnotatedType<?> type, AnnotatedMethod<?> method) {
    return Stream.concat(
            Stream.concat(
                managesItsTransactions(type).stream(),
                TransactionMode.staysInTransaction(type, method)
                    ? Stream.of()
                    : Stream.of(
                        "would leave the transaction that marks the message as processed, so that"
                            + " its effects would not be committed with it: use REQUIRED, MANDATORY"
                            + " or SUPPORTS")),
            listed(type, method))
        .toList();
  }

  private static Stream<String> listed(AnnotatedType<?> type, AnnotatedMethod<?> method) {
    return Stream.concat(TransactionMode.namesOn(type), TransactionMode.namesOn(method))
        .filter(ANNOTATIONS::containsKey)
        .distinct()
        .sorted()
        .map(name -> "@" + name + ANNOTATIONS.get(name));
  }

  private static Optional<String> managesItsTransactions(AnnotatedType<?> type) {
    TransactionManagement management = type.getAnnotation(TransactionManagement.class);
    return management != null && management.value() == TransactionManagementType.BEAN
        ? Optional.of(
            "@Inbox needs container-managed transactions, and this bean manages its own: its"
                + " effects would be committed apart from the inbox's row. Remove"
                + " @TransactionManagement(BEAN)")
        : Optional.empty();
  }

  private static String keptAway(AnnotatedType<?> type, AnnotatedMethod<?> method) {
    return "@TransactionAttribute("
        + TransactionMode.attribute(type, method)
        + ") has no effect on the message-driven "
        + method.getJavaMember().getName()
        + ": write REQUIRED, or leave it out, to handle messages in the transaction of their"
        + " delivery; or NOT_SUPPORTED for a transaction of the inbox's own";
  }
}
