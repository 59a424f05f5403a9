package io.postbox.outbox.enqueue;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PayloadCipher.Encrypted;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.Payload;
import io.postbox.outbox.encryption.Sealing;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/**
 * Encodes a payload for its row.
 *
 * @param maxPayload the largest payload in bytes, before it is encrypted
 * @param largestStored the largest value of the database's column, in bytes
 * @param toJson converts an object to JSON text; an exception of it refuses the message
 * @param cipher encrypts stored payloads, if the application has one
 * @param canLoad whether the application has a loader for references
 */
public record PayloadEncoder(
    int maxPayload,
    int largestStored,
    Function<Object, String> toJson,
    Optional<PayloadCipher> cipher,
    boolean canLoad) {

  /** A media type, and the unencrypted payload. */
  record Packed(String contentType, Body body) {}

  Packed pack(OutboxMessage message, MessageValidator checks) {
    Payload payload =
        message
            .payload()
            .orElseThrow(
                () -> checks.refused("it has no payload: call text, bytes, json or reference"));
    if (payload instanceof Payload.Text text) {
      checks.unicode("its text", text.value());
      return text("text/plain", text.value(), checks);
    }
    if (payload instanceof Payload.Json json) {
      String text = json(message, json.value());
      checks.unicode("its JSON", text);
      return text("application/json", text, checks);
    }
    if (payload instanceof Payload.Bytes bytes) {
      return octets(bytes.value(), checks);
    }
    return reference((Payload.Reference) payload, checks);
  }

  /** Octets. */
  Packed octets(byte[] octets, MessageValidator checks) {
    return stored(Body.OCTETS, octets, new Body.Bytes(octets), checks);
  }

  /** A text of a media type, whose characters were checked. */
  Packed text(String type, String text, MessageValidator checks) {
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    return stored(type, octets, new Body.Text(text), checks);
  }

  private Packed stored(String type, byte[] octets, Body plain, MessageValidator checks) {
    checks.payloadSize(octets.length, maxPayload);
    if (cipher.isEmpty()) {
      checks.storedSize(octets.length, largestStored);
    }
    return new Packed(type, plain);
  }

  /** The message as it is stored: with payload and headers encrypted, if there is a cipher. */
  Envelope seal(Envelope plain, MessageValidator checks) {
    if (cipher.isEmpty()) {
      return plain;
    }
    Sealing sealing = new Sealing(cipher.get());
    Body body = plain.body();
    String headers;
    try {
      if (!(body instanceof Body.Reference)) {
        Encrypted encrypted = sealing.body(plain);
        body = new Body.Encrypted(encrypted.value(), encrypted.keyId());
      }
      headers = sealing.headers(plain);
    } catch (Exception failed) { // the application's cipher may throw anything
      throw checks.refused(
          "the application's PayloadCipher failed with a " + failed.getClass().getName(), failed);
    }
    if (body instanceof Body.Encrypted encrypted) {
      checks.text("its encryption's key id", encrypted.key(), 100);
      checks.storedSize(encrypted.value().length, largestStored);
    }
    Envelope sealed = plain.carrying(plain.contentType(), body, headers);
    checks.text("its encryption's key id", Sealing.keyOfHeaders(sealed), 100);
    return sealed;
  }

  private Packed reference(Payload.Reference reference, MessageValidator checks) {
    if (!canLoad) {
      throw checks.refused(
          "its payload is a reference, and the outbox's module sees no CDI bean that implements"
              + " io.postbox.outbox.PayloadLoader");
    }
    checks.text("its reference's table", reference.table(), 100);
    checks.text("its reference's id", reference.id(), 200);
    return new Packed(
        "message/external-body", new Body.Reference(reference.table(), reference.id(), null));
  }

  private String json(OutboxMessage message, Object value) {
    try {
      return toJson.apply(value);
    } catch (RuntimeException failed) {
      throw new MessageRefusedException(
          "%s is refused and was not written: JSON-B cannot serialise %s (%s). The transaction is still usable."
              .formatted(message, value.getClass().getName(), OutboxLog.EXCEPTIONS.of(failed)),
          failed);
    }
  }
}
