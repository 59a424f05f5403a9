package io.postbox.outbox.enqueue;

import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.Payload;
import io.postbox.outbox.PayloadCipher;
import io.postbox.outbox.PayloadCipher.Encrypted;
import io.postbox.outbox.message.Body;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * From a payload to what its row holds of it.
 *
 * @param maxPayload the largest payload in bytes, before it is encrypted
 * @param largestStored what the database's column holds, in bytes
 * @param toJson turns an object into JSON text; what it throws refuses the message
 * @param cipher encrypts what is stored, if the application wants that
 * @param canLoad whether the application has a loader for references
 */
public record Packing(
    int maxPayload,
    int largestStored,
    Function<Object, String> toJson,
    Optional<PayloadCipher> cipher,
    boolean canLoad) {

  /** A media type, and what the row holds. */
  record Packed(String contentType, Body body) {}

  Packed pack(OutboxMessage message, UUID id, Checks checks) {
    Payload payload =
        message
            .payload()
            .orElseThrow(
                () -> checks.refused("it has no payload: call text, bytes, json or reference"));
    if (payload instanceof Payload.Text text) {
      checks.unicode("its text", text.value());
      return text("text/plain", text.value(), id, checks);
    }
    if (payload instanceof Payload.Json json) {
      String text = json(message, json.value());
      checks.unicode("its JSON", text);
      return text("application/json", text, id, checks);
    }
    if (payload instanceof Payload.Bytes bytes) {
      return stored(Body.OCTETS, bytes.value(), new Body.Bytes(bytes.value()), id, checks);
    }
    return reference((Payload.Reference) payload, checks);
  }

  private Packed text(String type, String text, UUID id, Checks checks) {
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    return stored(type, octets, new Body.Text(text), id, checks);
  }

  private Packed stored(String type, byte[] octets, Body plain, UUID id, Checks checks) {
    checks.payloadSize(octets.length, maxPayload);
    if (cipher.isEmpty()) {
      checks.storedSize(octets.length, largestStored);
      return new Packed(type, plain);
    }
    Encrypted encrypted = encrypt(cipher.get(), octets, id, checks);
    checks.text("its encryption's key id", encrypted.keyId(), 100);
    checks.storedSize(encrypted.value().length, largestStored);
    return new Packed(type, new Body.Encrypted(encrypted.value(), encrypted.keyId()));
  }

  private static Encrypted encrypt(PayloadCipher cipher, byte[] octets, UUID id, Checks checks) {
    try {
      return cipher.encrypt(octets, id);
    } catch (Exception failed) { // the application's cipher may throw anything
      throw checks.refused(
          "the application's PayloadCipher failed with a " + failed.getClass().getName(), failed);
    }
  }

  private Packed reference(Payload.Reference reference, Checks checks) {
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
              .formatted(message, value.getClass().getName(), failed.getMessage()),
          failed);
    }
  }
}
