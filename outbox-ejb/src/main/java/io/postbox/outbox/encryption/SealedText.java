package io.postbox.outbox.encryption;

import io.postbox.common.PayloadCipher.Encrypted;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A cipher text in a column of text, as {@code <key id>.<cipher text>}, both in Base64 for URLs,
 * between a beginning and an end that show it.
 *
 * @param beginning tells it from a plaintext
 * @param end of the column
 */
public record SealedText(String beginning, String end) {
  /** The column of headers holds a JSON object in either case. */
  public static final SealedText HEADERS = new SealedText("{\"sealed\":\"", "\"}");

  /** Whether a column is encrypted. */
  public boolean isSealed(String column) {
    return column.startsWith(beginning);
  }

  /** The column that holds a cipher text. */
  public String toText(Encrypted encrypted) {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return beginning
        + encoder.encodeToString(encrypted.keyId().getBytes(StandardCharsets.UTF_8))
        + '.'
        + encoder.encodeToString(encrypted.value())
        + end;
  }

  /**
   * The cipher text in a column.
   *
   * @throws IllegalArgumentException if the column holds none
   */
  public Encrypted fromText(String column) {
    int dot = column.indexOf('.');
    if (!isSealed(column) || !column.endsWith(end) || dot < 0) {
      throw new IllegalArgumentException("the column holds no cipher text");
    }
    Base64.Decoder decoder = Base64.getUrlDecoder();
    return new Encrypted(
        decoder.decode(column.substring(dot + 1, column.length() - end.length())),
        new String(
            decoder.decode(column.substring(beginning.length(), dot)), StandardCharsets.UTF_8));
  }
}
