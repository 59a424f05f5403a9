package io.postbox.inbox.jms;

import io.postbox.common.OutboxProperties;
import io.postbox.common.text.ByteOrderMark;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.message.Body;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.receiver.HandlerContext;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a message's body as an object, if its content type allows that. Thread-safe if its JSON
 * reader is.
 */
public final class PayloadReader implements HandlerContext.Payloads {
  /**
   * The content types that say nothing about the form of a body: the outbox gives them to a text
   * and to octets whose form it does not know.
   */
  private static final Set<String> ANY_FORM =
      Set.of("", "text/plain", "application/octet-stream", "application/json", "text/json");

  private final JsonReader json;

  /** Reads objects from JSON. */
  @FunctionalInterface
  public interface JsonReader {
    /**
     * Reads an object; {@code null} if the text is JSON's {@code null}.
     *
     * @throws IllegalArgumentException if the text is not the JSON of such an object; its cause
     *     says why
     * @throws IllegalStateException if the server cannot read JSON
     */
    <T> @Nullable T read(String json, Class<T> type);
  }

  public PayloadReader(JsonReader json) {
    this.json = json;
  }

  @Override
  public <T> T read(Delivery delivery, Class<T> type) {
    if (delivery.body() instanceof Body.Opaque) {
      throw new RejectedMessageException(
          unreadable(delivery, type, "its body is a serialised Java object, which is never read"));
    }
    Content content = delivery.content().get();
    String contentType = stated(content, OutboxProperties.CONTENT_TYPE, "content-type").orElse("");
    String form =
        " (content type %s, schema version %s)"
            .formatted(
                contentType.isEmpty() ? "not stated" : contentType,
                stated(content, OutboxProperties.SCHEMA_VERSION).orElse("not stated"));
    if (!isJson(contentType)) {
      throw new RejectedMessageException(
          unreadable(delivery, type, "its content type is not JSON" + form));
    }
    T read;
    try {
      read = json.read(ByteOrderMark.skip(text(content)), type);
    } catch (NoText none) {
      throw new RejectedMessageException(unreadable(delivery, type, none.getMessage() + form));
    } catch (IllegalArgumentException malformed) {
      throw new RejectedMessageException(
          unreadable(delivery, type, "its body is not the JSON of such an object" + form),
          malformed.getCause());
    }
    if (read == null) {
      throw new RejectedMessageException(
          unreadable(delivery, type, "its body is the JSON value null" + form));
    }
    return read;
  }

  @Override
  public Optional<String> schemaVersion(Delivery delivery) {
    return delivery.body() instanceof Body.Opaque
        ? Optional.empty()
        : stated(delivery.metadata().get(), OutboxProperties.SCHEMA_VERSION);
  }

  /** The first of these properties, or else of these headers of a message without JMS. */
  private static Optional<String> stated(Content content, String... names) {
    Map<String, @Nullable Object> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(Contents.originHeaders(content));
    all.putAll(Contents.properties(content));
    return Stream.of(names)
        .map(all::get)
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .filter(text -> !text.isBlank())
        .findFirst();
  }

  /** Whether a body of the type may be JSON: the type says so, or it says nothing. */
  private static boolean isJson(String contentType) {
    String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return ANY_FORM.contains(type) || type.endsWith("+json");
  }

  /** There is no text to read; the message says why. */
  private static final class NoText extends Exception {
    private static final long serialVersionUID = 1L;

    private NoText(String why) {
      super(why);
    }
  }

  private static String text(Content content) throws NoText {
    ByteBuffer octets = content.bytes();
    if (content.type() == BodyType.BYTES && octets != null) {
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(octets.duplicate()).toString();
      } catch (CharacterCodingException malformed) {
        throw new NoText("its octets are not UTF-8");
      }
    }
    return Contents.text(content)
        .orElseThrow(
            () ->
                new NoText(
                    "its body is neither text nor octets but of the type " + content.type()));
  }

  private static String unreadable(Delivery delivery, Class<?> type, String why) {
    return "Message %s for the consumer '%s' cannot be read as %s: %s. Nothing was done with it; it is parked, unless the handler catches this and reads the body in another way."
        .formatted(delivery.knownId().orElse(""), delivery.consumer(), type.getName(), why);
  }
}
