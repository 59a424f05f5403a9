package io.postbox.inbox.startup;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The destination of a message-driven bean, as far as its annotation names it; the rest is in the
 * server's activation specification, which an application cannot read.
 *
 * @param consumer the consumer's name
 * @param destinationType the interface of its destination; empty if the annotation does not name it
 * @param destination the JNDI name of its destination; empty if the annotation does not name it
 */
public record ListenerDestination(
    String consumer, Optional<String> destinationType, Optional<String> destination) {

  /** Reads a message-driven bean's annotation. */
  public static ListenerDestination of(String consumer, AnnotatedType<?> type) {
    Map<String, String> said =
        Arrays.stream(type.getAnnotation(MessageDriven.class).activationConfig())
            .collect(
                Collectors.toMap(
                    ActivationConfigProperty::propertyName,
                    ActivationConfigProperty::propertyValue,
                    (one, other) -> other));
    return new ListenerDestination(
        consumer,
        Optional.ofNullable(said.get("destinationType")),
        Optional.ofNullable(said.getOrDefault("destinationLookup", said.get("destination"))));
  }
}
