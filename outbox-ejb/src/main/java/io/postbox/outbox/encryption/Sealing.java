package io.postbox.outbox.encryption;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PayloadCipher.AssociatedData;
import io.postbox.common.PayloadCipher.Encrypted;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts a row's payload and headers, each bound to its column and to all that the
 * row says of the message in the clear. Thread-safe, as the cipher is.
 *
 * @param cipher the application's
 */
public record Sealing(PayloadCipher cipher) {

  /** Whether a row's headers are encrypted. */
  public static boolean hasSealedHeaders(Envelope envelope) {
    return SealedText.HEADERS.isSealed(envelope.headers());
  }

  /**
   * Whether all parts of a row that can be encrypted are; a referenced payload is stored elsewhere.
   */
  public static boolean isSealed(Envelope envelope) {
    boolean isBodySealed =
        envelope.body() instanceof Body.Encrypted || envelope.body() instanceof Body.Reference;
    return isBodySealed && hasSealedHeaders(envelope);
  }

  /**
   * The key that a row's encrypted headers take.
   *
   * @throws IllegalArgumentException if they are not what {@link #headers} makes
   */
  public static String keyOfHeaders(Envelope sealed) {
    return SealedText.HEADERS.fromText(sealed.headers()).keyId();
  }

  /**
   * Encrypts the payload.
   *
   * @param plain with its text or octets
   * @throws Exception if the cipher fails
   */
  public Encrypted body(Envelope plain) throws Exception {
    return cipher.encrypt(((Body.Open) plain.body()).octets(), ofPayload(plain));
  }

  /**
   * Encrypts the headers.
   *
   * @return the text of their column
   * @throws Exception if the cipher fails
   */
  public String headers(Envelope plain) throws Exception {
    return SealedText.HEADERS.toText(
        cipher.encrypt(plain.headers().getBytes(StandardCharsets.UTF_8), ofHeaders(plain)));
  }

  /**
   * Decrypts the payload.
   *
   * @throws Exception if the cipher fails
   */
  public Body openBody(Envelope sealed) throws Exception {
    Body.Encrypted body = (Body.Encrypted) sealed.body();
    byte[] plain = cipher.decrypt(new Encrypted(body.value(), body.key()), ofPayload(sealed));
    return sealed.contentType().equals(Body.OCTETS)
        ? new Body.Bytes(plain)
        : new Body.Text(new String(plain, StandardCharsets.UTF_8));
  }

  /**
   * Decrypts the headers.
   *
   * @throws Exception if the cipher fails
   */
  public String openHeaders(Envelope sealed) throws Exception {
    return new String(
        cipher.decrypt(SealedText.HEADERS.fromText(sealed.headers()), ofHeaders(sealed)),
        StandardCharsets.UTF_8);
  }

  private static AssociatedData ofPayload(Envelope envelope) {
    return new AssociatedData(said("outbox_message.payload", envelope).toString());
  }

  private static AssociatedData ofHeaders(Envelope envelope) {
    StringBuilder said = said("outbox_message.headers", envelope);
    if (envelope.body() instanceof Body.Reference reference) {
      say(said, "reference-table", reference.table());
      say(said, "reference-id", reference.id());
    }
    return new AssociatedData(said.toString());
  }

  private static StringBuilder said(String column, Envelope envelope) {
    StringBuilder said = new StringBuilder(column);
    say(said, "id", envelope.id().toString());
    say(said, "destination", envelope.destination());
    say(said, "ordering-key", envelope.orderingKey());
    say(said, "aggregate-type", envelope.aggregateType());
    say(said, "aggregate-id", envelope.aggregateId());
    say(said, "data-subject", envelope.dataSubject());
    say(said, "event-type", envelope.eventType());
    say(said, "schema-version", envelope.schemaVersion());
    say(said, "content-type", envelope.contentType());
    return said;
  }

  /** With its length, so that no value can pass for two. */
  private static void say(StringBuilder said, String name, @Nullable String value) {
    if (value != null) {
      said.append(' ').append(name).append('=').append(value.length()).append(':').append(value);
    }
  }
}
