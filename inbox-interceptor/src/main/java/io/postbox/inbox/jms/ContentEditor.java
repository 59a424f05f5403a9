package io.postbox.inbox.jms;

import io.postbox.common.MessageEdit;
import io.postbox.common.text.Storable;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes the content of a parked message, which keeps its id. Thread-safe. */
public final class ContentEditor {
  private static final String HEADERS = "headers";
  private static final String PROPERTIES = "properties";

  /** Properties of the standard, the provider, the outbox and the inbox, and of tracing. */
  private static final List<String> RESERVED =
      List.of("JMS", "_AMQ", "Outbox", "Inbox", "traceparent", "tracestate");

  private ContentEditor() {}

  /**
   * A content with an operator's changes.
   *
   * @param consumers the annotated uses of the consumer's name
   * @param maxBody how many bytes the body may have
   * @throws IllegalArgumentException if the message could not be sent to its consumer like that, or
   *     could have another id then
   */
  public static Content edited(
      Content old, MessageEdit edit, Collection<Consumer> consumers, int maxBody) {
    String properties = properties(old.properties(), edit.properties().orElse(Map.of()), consumers);
    Optional<byte[]> bytes = edit.bytes();
    if (edit.text().isEmpty() && bytes.isEmpty()) {
      if (old.type() == BodyType.NOT_KEPT) { // a redrive would not use it
        throw refused("its body is not kept here, so an edit has to give it one");
      }
      return new Content(old.type(), old.text(), old.bytes(), properties);
    }
    for (Consumer consumer : consumers) {
      if (consumer.idFrom() == IdFrom.RESOLVER) {
        throw refused(
            "the id of its consumer is found by %s, perhaps in the body"
                .formatted(consumer.resolver().getName()));
      }
    }
    if (old.type() == BodyType.MAP || old.type() == BodyType.STREAM) {
      throw refused("its body is a " + old.type() + ", and neither a text nor octets");
    }
    Content edited =
        bytes.isPresent()
            ? new Content(BodyType.BYTES, null, ByteBuffer.wrap(bytes.get()), properties)
            : new Content(BodyType.TEXT, text(edit.text().get()), null, properties);
    if (edited.size() - properties.length() > maxBody) {
      throw refused("its body may have %s bytes".formatted(maxBody));
    }
    return edited;
  }

  private static String text(String text) {
    if (!Storable.isText(text)) {
      throw refused("its text has a NUL character or half a surrogate pair");
    }
    return text;
  }

  private static String properties(
      String stored, Map<String, Object> some, Collection<Consumer> consumers) {
    if (some.isEmpty()) {
      return stored;
    }
    SortedMap<String, @Nullable Object> merged = new TreeMap<>();
    part(stored, PROPERTIES).forEach((name, value) -> merged.put(name, Json.valueOf(value)));
    some.forEach(
        (name, value) -> {
          boolean isId =
              consumers.stream()
                  .anyMatch(
                      it ->
                          it.idFrom() == IdFrom.RESOLVER
                              || (it.idFrom() == IdFrom.PROPERTY && it.property().equals(name)));
          if (isId
              || !CopiedProperties.isIdentifier(name)
              || RESERVED.stream().anyMatch(name::startsWith)) {
            throw refused(
                "the property %s is not one of the sender's own, or may hold its id"
                    .formatted(Storable.line(name, 50)));
          }
          if (!isAllowed(value)) {
            throw refused(
                "the property %s has a value that JMS cannot carry"
                    .formatted(Storable.line(name, 50)));
          }
          merged.put(name, value);
        });
    StringBuilder edited =
        new StringBuilder(
            "{\"headers\":%s,\"properties\":%s"
                .formatted(Json.plain(part(stored, HEADERS)), Json.typed(merged)));
    for (String name : RequestReader.PARTS) {
      Optional<Map<String, @Nullable Object>> part = Contents.part(stored, name);
      if (part.isPresent()) {
        edited.append(",\"%s\":%s".formatted(name, Json.asRead(part.get())));
      }
    }
    return edited.append('}').toString();
  }

  private static boolean isAllowed(Object value) {
    return CopiedProperties.canBeSet(Map.of("value", value))
        && (!(value instanceof String text) || Storable.isText(text));
  }

  private static Map<String, @Nullable Object> part(String stored, String name) {
    return Contents.part(stored, name)
        .orElseThrow(() -> refused("its stored properties cannot be read"));
  }

  /** The names of the properties in a content, in order; none if it has none. */
  public static List<String> propertyNames(Content content) {
    return Contents.part(content.properties(), PROPERTIES)
        .map(all -> all.keySet().stream().sorted().toList())
        .orElse(List.of());
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(
        "The parked message cannot be edited like that: %s; nothing was changed".formatted(why));
  }
}
