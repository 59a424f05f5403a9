package io.postbox.console.api;

import io.postbox.console.http.Fields;
import io.postbox.console.http.Problem;
import io.postbox.console.http.TypedProperties;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The changes to a message that somebody asks for.
 *
 * @param text in place of the payload
 * @param bytes in place of the payload, if it is no text
 * @param properties JMS properties
 */
public record EditRequest(
    Optional<String> text, Optional<byte[]> bytes, Optional<Map<String, Object>> properties) {

  /** The fields {@code text}, {@code bytes} and {@code properties} of a request. */
  public static EditRequest of(Fields fields) {
    EditRequest edit =
        new EditRequest(
            fields.optional("text", Integer.MAX_VALUE),
            fields.octets("bytes"),
            TypedProperties.of(fields, "properties"));
    if (edit.text.isPresent() && edit.bytes.isPresent()) {
      throw Problem.invalid(
              "A payload is a text or octets; nothing was changed.", "Leave text or bytes out.")
          .exception();
    }
    if (edit.text.isEmpty() && edit.bytes.isEmpty() && edit.properties.isEmpty()) {
      throw Problem.invalid(
              "This edit would change nothing.", "Give text, bytes (in Base64) or properties.")
          .exception();
    }
    return edit;
  }

  /**
   * The request as a module's own type.
   *
   * @param ofText an edit with another text
   * @param ofBytes an edit with other octets
   * @param samePayload an edit that keeps the payload
   * @param withProperties adds properties to an edit
   */
  public <E> E as(
      Function<String, E> ofText,
      Function<byte[], E> ofBytes,
      Supplier<E> samePayload,
      BiFunction<E, Map<String, Object>, E> withProperties) {
    E edit = text.map(ofText).or(() -> bytes.map(ofBytes)).orElseGet(samePayload);
    return properties.map(it -> withProperties.apply(edit, it)).orElse(edit);
  }

  @Override
  public String toString() {
    return "EditRequest[]";
  }
}
