package io.postbox.outbox.payload;

import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.PayloadCipher;
import io.postbox.outbox.PayloadCipher.Encrypted;
import io.postbox.outbox.PayloadLoader;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.Contents;
import io.postbox.outbox.relay.SendFailure;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Opens payloads with what the application has for that. Thread-safe, as those are.
 *
 * @param loader loads references
 * @param cipher decrypts
 * @param maxPayload the largest payload in bytes, loaded ones too
 */
public record ApplicationContents(
    Optional<PayloadLoader> loader, Optional<PayloadCipher> cipher, int maxPayload)
    implements Contents {

  @Override
  public Content of(StoredMessage message) throws SendFailure {
    Body body = message.envelope().body();
    if (body instanceof Body.Reference reference) {
      return load(message, reference);
    }
    if (body instanceof Body.Encrypted encrypted) {
      return decrypt(message, encrypted);
    }
    return new Content(message.envelope().contentType(), body);
  }

  private Content load(StoredMessage message, Body.Reference reference) throws SendFailure {
    PayloadLoader beans =
        loader.orElseThrow(
            () ->
                SendFailure.ofDestination(
                    "its payload is a reference, and the application has no PayloadLoader any more",
                    null));
    try {
      LoadedPayload loaded =
          beans
              .load(reference.table(), reference.id())
              .orElseThrow(() -> new IllegalStateException("there is none"));
      return checked(loaded);
    } catch (Exception | LinkageError | StackOverflowError failed) { // it is the application's
      String reason = "its payload was not loaded: " + OutboxLog.reason(failed);
      throw Availability.isMissing(failed)
          ? SendFailure.ofDestination(reason, failed)
          : SendFailure.ofMessage(message, reason, failed);
    }
  }

  /**
   * @throws IllegalArgumentException if it is not one that may be sent
   */
  private Content checked(LoadedPayload loaded) {
    String type = loaded.contentType();
    if (type.isBlank() || type.length() > 100) {
      throw new IllegalArgumentException("its content type has to have 1 to 100 characters");
    }
    Body body =
        loaded instanceof LoadedPayload.Text text
            ? new Body.Text(text.value())
            : new Body.Bytes(((LoadedPayload.Bytes) loaded).value());
    long size = octets(body).length;
    if (size > maxPayload) {
      throw new IllegalArgumentException(
          "it has %d bytes, and at most %d are allowed by postbox.outbox.max-payload"
              .formatted(size, maxPayload));
    }
    return new Content(type, body);
  }

  private static byte[] octets(Body body) {
    return body instanceof Body.Text text
        ? text.value().getBytes(StandardCharsets.UTF_8)
        : ((Body.Bytes) body).value();
  }

  /** What the cipher's exceptions say is nobody's business: it could be part of a key. */
  private Content decrypt(StoredMessage message, Body.Encrypted encrypted) throws SendFailure {
    Envelope envelope = message.envelope();
    String key = "its payload is encrypted with the key '" + encrypted.key() + "'";
    PayloadCipher bean =
        cipher.orElseThrow(
            () ->
                SendFailure.ofDestination(
                    key + ", and the application has no PayloadCipher any more", null));
    try {
      byte[] plain = bean.decrypt(new Encrypted(encrypted.value(), encrypted.key()), envelope.id());
      Body body =
          envelope.contentType().equals(Body.OCTETS)
              ? new Body.Bytes(plain)
              : new Body.Text(new String(plain, StandardCharsets.UTF_8));
      return new Content(envelope.contentType(), body);
    } catch (Exception | LinkageError | StackOverflowError failed) { // it is the application's
      throw SendFailure.ofMessage(
          message, key + " and was not decrypted: " + failed.getClass().getName(), failed);
    }
  }
}
