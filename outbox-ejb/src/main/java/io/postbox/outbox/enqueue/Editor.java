package io.postbox.outbox.enqueue;

import io.postbox.common.MessageEdit;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.encryption.Sealing;
import io.postbox.outbox.enqueue.PayloadEncoder.Packed;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import java.util.Optional;
import java.util.UUID;

/**
 * Changes a stored message, with the checks of an enqueue. Thread-safe.
 *
 * @param encoder encodes payloads
 */
public record Editor(PayloadEncoder encoder) {

  /**
   * A copy of a message under another id, with an operator's changes.
   *
   * @throws MessageRefusedException if it could not be stored or sent like that, or cannot be
   *     decrypted
   */
  public Edited edit(Envelope stored, MessageEdit edit, UUID newId) {
    MessageValidator checks = new MessageValidator("The edited " + stored);
    Envelope old = open(stored, checks);
    Envelope plain = changed(old, edit, newId, checks);
    Envelope sealed = encoder.seal(plain, checks);
    checks.headersSize(sealed.headers().length(), MessagePreparation.LONGEST_HEADERS);
    return new Edited(old, plain, sealed);
  }

  /**
   * The result of an edit.
   *
   * @param before the message, decrypted
   * @param after the same with the edit, not encrypted
   * @param stored {@code after} as it is stored
   */
  public record Edited(Envelope before, Envelope after, Envelope stored) {}

  /**
   * A stored message, decrypted.
   *
   * @throws MessageRefusedException if it cannot be decrypted
   */
  public Envelope open(Envelope stored) {
    return open(stored, new MessageValidator("The stored " + stored));
  }

  private Envelope changed(Envelope old, MessageEdit edit, UUID newId, MessageValidator checks) {
    Optional<Packed> packed =
        edit.text()
            .map(text -> text(old, text, checks))
            .or(() -> edit.bytes().map(bytes -> encoder.octets(bytes, checks)));
    edit.properties().ifPresent(checks::properties);
    Headers before = headers(old, checks);
    Headers headers =
        new Headers(
            before.correlationId(),
            before.replyTo(),
            before.aggregateVersion(),
            before.traceState(),
            edit.properties().orElse(before.properties()));
    String storedHeaders = headers.toJson();
    checks.headersSize(storedHeaders.length(), MessagePreparation.LONGEST_HEADERS);
    return new Envelope(
        newId,
        old.destination(),
        old.orderingKey(),
        old.aggregateType(),
        old.aggregateId(),
        old.dataSubject(),
        old.eventType(),
        old.schemaVersion(),
        packed.map(Packed::contentType).orElse(old.contentType()),
        packed.map(Packed::body).orElse(old.body()),
        storedHeaders,
        old.traceParent());
  }

  private static Headers headers(Envelope old, MessageValidator checks) {
    try {
      return Headers.fromJson(old.headers());
    } catch (IllegalArgumentException unreadable) {
      throw checks.refused("its stored headers cannot be read", unreadable);
    }
  }

  private Packed text(Envelope old, String text, MessageValidator checks) {
    checks.unicode("its text", text);
    boolean isText = old.body() instanceof Body.Text;
    return encoder.text(isText ? old.contentType() : "text/plain", text, checks);
  }

  private Envelope open(Envelope stored, MessageValidator checks) {
    boolean sealedBody = stored.body() instanceof Body.Encrypted;
    boolean sealedHeaders = Sealing.hasSealedHeaders(stored);
    if (!sealedBody && !sealedHeaders) {
      return stored;
    }
    Sealing sealing =
        new Sealing(
            encoder
                .cipher()
                .orElseThrow(
                    () -> checks.refused("it is encrypted, and there is no PayloadCipher")));
    try {
      return stored.carrying(
          stored.contentType(),
          sealedBody ? sealing.openBody(stored) : stored.body(),
          sealedHeaders ? sealing.openHeaders(stored) : stored.headers());
    } catch (Exception failed) { // the application's cipher may throw anything
      throw checks.refused(
          "the application's PayloadCipher failed with a " + failed.getClass().getName(), failed);
    }
  }
}
