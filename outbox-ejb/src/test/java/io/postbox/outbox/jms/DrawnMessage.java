package io.postbox.outbox.jms;

import io.postbox.common.testing.Draws;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.Payload;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** A message, and what should be found wrong with it. */
final class DrawnMessage {
  static final int MAX_PAYLOAD = 60;
  private static final Duration CENTURY = Duration.ofDays(36_500);

  private final Draws draws;
  private final Instant now;
  private final List<String> wrong = new ArrayList<>();
  private OutboxMessage message;

  DrawnMessage(Draws draws, Instant now) {
    this.draws = draws;
    this.now = now;
    message = OutboxMessage.to(destination("destination"));
    payload();
    texts();
    properties();
    order();
    times();
    if (draws.flag()) {
      message = message.id(UUID.fromString(draws.uuid()));
    }
  }

  OutboxMessage message() {
    return message;
  }

  /** Its mistakes. */
  List<String> wrong() {
    return wrong;
  }

  static boolean isReference(OutboxMessage message) {
    return message.payload().orElseThrow() instanceof Payload.Reference;
  }

  static Object bodyOf(OutboxMessage message) {
    Payload payload = message.payload().orElseThrow();
    if (payload instanceof Payload.Bytes bytes) {
      return ByteBuffer.wrap(bytes.value());
    }
    return payload instanceof Payload.Text text ? text.value() : ((Payload.Json) payload).value();
  }

  static String contentTypeOf(OutboxMessage message) {
    Payload payload = message.payload().orElseThrow();
    if (payload instanceof Payload.Bytes) {
      return "application/octet-stream";
    }
    return payload instanceof Payload.Text ? "text/plain" : "application/json";
  }

  private void payload() {
    switch (draws.below(4)) {
      case 0 -> message = message.text(body());
      case 1 -> message = message.json(body());
      case 2 -> {
        byte[] bytes = draws.octets(MAX_PAYLOAD + 1);
        note("bytes", bytes.length <= MAX_PAYLOAD);
        message = message.bytes(bytes);
      }
      default -> message = message.reference(text("table", 100), text("row", 200));
    }
  }

  private String body() {
    String text = draws.oneOf(draws.text(20), draws.about(MAX_PAYLOAD));
    note(
        "body",
        isUnicode(text)
            && !text.contains("\0")
            && text.getBytes(StandardCharsets.UTF_8).length <= MAX_PAYLOAD);
    return text;
  }

  private void texts() {
    if (draws.flag()) {
      message = message.event(text("event", 200));
    }
    if (draws.flag()) {
      message = message.schemaVersion(text("schema", 50));
    }
    if (draws.flag()) {
      message = message.replyTo(destination("reply-to")).correlationId(text("correlation", 500));
    }
    if (draws.flag()) {
      long version = draws.number();
      note("aggregate version", version >= 0);
      message = message.aggregateVersion(version);
    }
    if (draws.flag()) {
      String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
      message = message.trace(draws.oneOf(parent, "x" + parent), draws.oneOf("a=1", null));
    }
  }

  private void properties() {
    for (int i = draws.below(4); i > 0; i--) {
      String name =
          draws.oneOf(
              "a",
              "\u00e4_$",
              "\ud835\udcb3", // a letter, of two chars
              "a\ud835\udcb3",
              "like",
              "JmsX",
              "OutboxX",
              "tracestate",
              "1a",
              "",
              draws.changed("priority"));
      Object value = draws.below(6) == 0 ? draws.oneOf('c', BigInteger.TEN) : draws.propertyValue();
      if (!message.properties().containsKey(name)) {
        note("property " + name, isName(name) && isValue(value));
        message = message.property(name, value);
      }
    }
  }

  private void order() {
    String key = null;
    if (draws.flag()) {
      message = message.aggregate(text("aggregate type", 100), text("aggregate id", 200));
      key = message.orderingKey().orElseThrow();
    }
    switch (draws.below(4)) {
      case 0 -> {
        key = text("key", 310);
        message = message.orderedBy(key);
      }
      case 1 -> message = message.unordered();
      default -> {}
    }
  }

  private void times() {
    Duration expiry = null;
    if (draws.below(4) == 0) {
      expiry =
          draws.oneOf(
              Duration.ofMillis(1),
              Duration.ofNanos(999_999),
              CENTURY,
              CENTURY.plusNanos(1),
              Duration.ofSeconds(draws.number(), draws.below(1 << 20)));
      note("expiry", expiry.compareTo(Duration.ofMillis(1)) >= 0 && expiry.compareTo(CENTURY) <= 0);
      message = message.expiresAfter(expiry);
    }
    if (draws.below(4) == 0) {
      Instant moment =
          draws.oneOf(
              now,
              now.plusMillis(1),
              Instant.MIN,
              Instant.MAX,
              now.plus(CENTURY),
              now.plus(CENTURY).plusNanos(1));
      note("notBefore of a key", message.orderingKey().isEmpty());
      note("notBefore", !moment.isAfter(now.plus(CENTURY)));
      note(
          "notBefore behind expiry",
          expiry == null || wrong.contains("expiry") || moment.isBefore(now.plus(expiry)));
      message = message.notBefore(moment);
    }
  }

  private String text(String part, int longest) {
    String text = draws.oneOf(draws.text(6), "plain", "plain", "plain", draws.about(longest));
    note(
        part,
        text.codePoints().anyMatch(it -> !Character.isWhitespace(it))
            && text.length() <= longest
            && isUnicode(text)
            && text.codePoints().noneMatch(it -> it < 32 || (it >= 127 && it < 160)));
    return text;
  }

  /** The name of a destination, which becomes a part of a JNDI name. */
  private String destination(String part) {
    String name = text(part, 100);
    note(
        part,
        name.matches("[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}:*\\\\\"'`]+")
            && name.strip().equals(name)
            && !name.contains("..")
            && !("/" + name + "/").matches(".*/\\.?/.*"));
    return name;
  }

  private void note(String part, boolean isRight) {
    if (!isRight) {
      wrong.add(part);
    }
  }

  /** As JMS has it, char by char, which is how brokers look at it. */
  private static boolean isName(String name) {
    if (name.isEmpty() || !Character.isJavaIdentifierStart(name.charAt(0))) {
      return false;
    }
    String upper = name.toUpperCase(Locale.ROOT);
    return name.chars().allMatch(it -> Character.isJavaIdentifierPart((char) it))
        && !upper.matches("NULL|TRUE|FALSE|NOT|AND|OR|BETWEEN|LIKE|IN|IS|ESCAPE|JMS.*")
        && !name.startsWith("Outbox")
        && !name.startsWith("Inbox")
        && !name.startsWith("_AMQ_")
        && !name.equals("traceparent")
        && !name.equals("tracestate");
  }

  private static boolean isValue(Object value) {
    if (value instanceof String text) {
      return isUnicode(text) && !text.contains("\0");
    }
    return !(value instanceof Character || value instanceof BigInteger);
  }

  private static boolean isUnicode(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).equals(text);
  }
}
