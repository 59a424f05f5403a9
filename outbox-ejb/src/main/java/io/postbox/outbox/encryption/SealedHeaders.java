package io.postbox.outbox.encryption;

import io.postbox.common.PayloadCipher.Encrypted;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Encrypted headers as the text of their column, which holds a JSON object in either case: {@code
 * {"sealed":"<key id>.<cipher text>"}}, both in Base64 for URLs.
 */
final class SealedHeaders {
  private static final String BEGINNING = "{\"sealed\":\"";
  private static final String END = "\"}";

  private SealedHeaders() {}

  static boolean isOne(String headers) {
    return headers.startsWith(BEGINNING);
  }

  static String toText(Encrypted encrypted) {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return BEGINNING
        + encoder.encodeToString(encrypted.keyId().getBytes(StandardCharsets.UTF_8))
        + '.'
        + encoder.encodeToString(encrypted.value())
        + END;
  }

  /**
   * @throws IllegalArgumentException if it is something else
   */
  static Encrypted fromText(String headers) {
    int dot = headers.indexOf('.');
    if (!isOne(headers) || !headers.endsWith(END) || dot < 0) {
      throw new IllegalArgumentException("these are no encrypted headers");
    }
    Base64.Decoder decoder = Base64.getUrlDecoder();
    return new Encrypted(
        decoder.decode(headers.substring(dot + 1, headers.length() - END.length())),
        new String(
            decoder.decode(headers.substring(BEGINNING.length(), dot)), StandardCharsets.UTF_8));
  }
}
