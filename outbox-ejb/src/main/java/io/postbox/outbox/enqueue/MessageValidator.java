package io.postbox.outbox.enqueue;

import io.postbox.common.OutboxProperties;
import io.postbox.common.config.Durations;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.Payload;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.message.PropertyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks that a message fits its row and that JMS can carry it. */
final class MessageValidator {
  private static final Set<String> SELECTOR_WORDS =
      Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");
  private static final Set<String> TRACE_PROPERTIES =
      Set.of(OutboxProperties.TRACE_PARENT, OutboxProperties.TRACE_STATE);

  /**
   * Reserved beginnings: properties of the inbox or Artemis that are passed on would have the
   * message dropped as a duplicate.
   */
  private static final List<String> RESERVED = List.of("Outbox", "Inbox", "_AMQ_");

  /** As Kafka has it. */
  private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]+");

  private static final String WITH_CDC = "with postbox.outbox.relay.mode=cdc";
  private static final String OR_POLLING = "%s, or set postbox.outbox.relay.mode=polling";

  /** As for the configuration's durations. */
  private static final Duration LONGEST_TIME = Duration.ofDays(36_500);

  private final String what;

  MessageValidator(OutboxMessage message) {
    this(message.toString());
  }

  /**
   * @param what names the message without its payload
   */
  MessageValidator(String what) {
    this.what = what;
  }

  /** The logical name, which every message needs. */
  void destination(String name, Destinations destinations) {
    if (name.isBlank()) {
      throw refused("its destination is blank; give the logical name of one, such as shipping");
    }
    text("its destination", name, 100);
    known("its destination", name, destinations);
  }

  /** Checks a logical name, if only some names are allowed. */
  void known(String part, String name, Destinations destinations) {
    destinations
        .objection(name)
        .ifPresent(
            objection -> {
              throw refused(part + " " + objection);
            });
  }

  /** Checks a text for a column of this many characters; it must not have control characters. */
  void text(String part, @Nullable String value, int longest) {
    if (value == null) {
      return;
    }
    if (value.isBlank()) {
      throw refused(part + " is blank; leave it out or give it a value");
    }
    if (value.length() > longest) {
      throw refused(
          "%s has %s characters, and at most %s fit".formatted(part, value.length(), longest));
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw refused(part + " has control characters");
    }
    unicode(part, value);
  }

  /** Checks that every database and broker accepts a text: valid Unicode, without NUL. */
  void unicode(String part, String value) {
    if (value.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      throw refused(part + " has a NUL character or half a surrogate pair; send it as bytes");
    }
  }

  void payloadSize(long bytes, long largest) {
    if (bytes > largest) {
      throw refused(
          "its payload has %s bytes, and at most %s are allowed by postbox.outbox.max-payload"
              .formatted(bytes, largest));
    }
  }

  /** Checks the size of the stored payload, encrypted or not. */
  void storedSize(long bytes, long largest) {
    if (bytes > largest) {
      throw refused(
          "its payload takes %s bytes in the table, and the database's column holds %s"
              .formatted(bytes, largest));
    }
  }

  /** Checks the version of an aggregate: a consumer with version order begins at 0 or above. */
  void aggregateVersion(long version) {
    if (version < 0) {
      throw refused(
          "its aggregate version is %s, and versions count up from 0 or 1".formatted(version));
    }
  }

  /** Checks a time to live: at least a millisecond, because brokers count in milliseconds. */
  void expiry(Duration time) {
    if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(LONGEST_TIME) > 0) {
      throw refused(
          "it expires after %s, and that has to be from 1ms to %s"
              .formatted(Durations.text(time), Durations.text(LONGEST_TIME)));
    }
  }

  /** Checks a message that has to wait from now until then. */
  void delay(Instant now, Instant moment, @Nullable String orderingKey, @Nullable Duration expiry) {
    if (orderingKey != null) {
      throw refused(
          "it has a notBefore and the ordering key '%s', and messages with a key go in the order of their transactions; call unordered()"
              .formatted(orderingKey));
    }
    if (moment.isAfter(now.plus(LONGEST_TIME))) {
      throw refused(
          "its notBefore is %s, and that may be at most %s from now"
              .formatted(moment, Durations.text(LONGEST_TIME)));
    }
    if (expiry != null && !moment.isBefore(now.plus(expiry))) {
      throw refused(
          "it expires after %s, which is before its notBefore, %s"
              .formatted(Durations.text(expiry), moment));
    }
  }

  /** Refuses what a change data capture connector would lose, send too soon, or fail on. */
  void connector(OutboxMessage message, boolean isEncrypted) {
    String destination = message.destination();
    if (!TOPIC.matcher(destination).matches()) {
      throw refused(
          "its destination is '%s', and %s that has to be the name of a topic: letters, digits, '.', '_' and '-'"
              .formatted(destination, WITH_CDC));
    }
    if (isEncrypted) {
      throw refused(
          "the application's PayloadCipher encrypts it, and %s the connector decrypts nothing: %s"
              .formatted(WITH_CDC, OR_POLLING.formatted("encrypt its text in the application")));
    }
    Payload payload = message.payload().orElse(null);
    if (payload instanceof Payload.Bytes) {
      throw refused(
          "its payload is octets, and %s the connector sends text alone: %s"
              .formatted(
                  WITH_CDC, OR_POLLING.formatted("call text or json, with Base64 if need be")));
    }
    if (payload instanceof Payload.Reference) {
      throw refused(
          "its payload is a reference, and %s nothing loads it: %s"
              .formatted(WITH_CDC, OR_POLLING.formatted("call text or json")));
    }
    if (message.notBefore().isPresent()) {
      throw refused(
          "it has a notBefore, and %s the connector sends what has committed: %s"
              .formatted(WITH_CDC, OR_POLLING.formatted("enqueue it when it is due")));
    }
    if (message.expiresAfter().isPresent()) {
      throw refused(
          "it expires, and %s nothing looks at the time when it is sent: %s"
              .formatted(WITH_CDC, OR_POLLING.formatted("say so in a property of your own")));
    }
  }

  /** Checks the size of all properties in their column. */
  void headersSize(int characters, int longest) {
    if (characters > longest) {
      throw refused(
          "its properties take %s characters, and at most %s fit".formatted(characters, longest));
    }
  }

  void properties(Map<String, Object> properties) {
    properties.forEach(
        (name, value) -> {
          String upper = name.toUpperCase(Locale.ROOT);
          if (!isIdentifier(name) || SELECTOR_WORDS.contains(upper)) {
            throw refused(
                "the property name '" + name + "' is not one of JMS: use a Java identifier");
          }
          if (upper.startsWith("JMS")
              || RESERVED.stream().anyMatch(name::startsWith)
              || TRACE_PROPERTIES.contains(name)) {
            throw refused(
                "the property '"
                    + name
                    + "' is set by JMS, the broker, the outbox or the inbox alone; use another"
                    + " name, and leave it out where you hand the properties of a received message"
                    + " on");
          }
          if (!PropertyValue.isAllowed(value)) {
            throw refused(
                "the property '%s' is a %s; JMS carries String, Boolean, Byte, Short, Integer, Long, Float and Double"
                    .formatted(name, value.getClass().getName()));
          }
          if (value instanceof String text) {
            unicode("the property '" + name + "'", text);
          }
        });
  }

  /** Checks char by char, as brokers do: a letter of two chars is no letter to them. */
  private static boolean isIdentifier(String name) {
    return !name.isEmpty()
        && Character.isJavaIdentifierStart(name.charAt(0))
        && name.chars().allMatch(it -> Character.isJavaIdentifierPart((char) it));
  }

  MessageRefusedException refused(String why) {
    return refused(why, null);
  }

  MessageRefusedException refused(String why, @Nullable Throwable cause) {
    return new MessageRefusedException(
        what + " is refused and was not written: " + why + ". The transaction is still usable.",
        cause);
  }
}
