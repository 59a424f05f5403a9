package io.postbox.inbox.store;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptFilter.Criterion;
import io.postbox.inbox.PayloadCipher;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Texts that may tell of a message's content, as they are stored: what handlers leave, and what
 * their exceptions say. They are encrypted with the application's cipher, where there is one. Rows
 * from before it stay as they are. Thread-safe.
 */
public final class SealedTexts {
  private final Supplier<Optional<PayloadCipher>> cipher;

  SealedTexts(Supplier<Optional<PayloadCipher>> cipher) {
    this.cipher = cipher;
  }

  /**
   * A text as it is stored, in one column or the other; in none, if there is no text.
   *
   * @param clear the text itself
   * @param sealed in Base64: the length of the key's id (two bytes), the key's id and the cipher
   *     text
   */
  record Stored(@Nullable String clear, @Nullable String sealed) {
    /** For a column that has to have a text. */
    String clearOrEmpty() {
      return clear == null ? "" : clear;
    }
  }

  /**
   * A text to be stored.
   *
   * @throws InboxException if it cannot be encrypted
   */
  Stored seal(String messageId, @Nullable String text) {
    if (text == null) {
      return new Stored(null, null);
    }
    try {
      Optional<PayloadCipher> with = cipher.get();
      if (with.isEmpty()) {
        return new Stored(text, null);
      }
      byte[] plain = text.getBytes(StandardCharsets.UTF_8);
      byte[] packed = KeptContents.packed(with.get().encrypt(plain, messageId));
      return new Stored(null, Base64.getEncoder().encodeToString(packed));
    } catch (Exception refused) { // the application's; what it says may be part of a key
      throw new InboxException(
          "What the handler of message %s left or said cannot be encrypted (%s), and was not written. Mend the PayloadCipher."
              .formatted(messageId, refused.getClass().getName()),
          refused);
    }
  }

  /** Likewise, for what has to be written in any case: that it was not encrypted is written. */
  Stored sealOrLeaveOut(String messageId, String text) {
    try {
      return seal(messageId, text);
    } catch (InboxException refused) {
      return new Stored(
          "left out, because it could not be encrypted: " + cause(refused).getClass().getName(),
          null);
    }
  }

  /**
   * A text that was stored.
   *
   * @throws InboxException if it cannot be decrypted
   */
  @Nullable String open(String messageId, @Nullable String clear, @Nullable String sealed) {
    if (sealed == null) {
      return clear;
    }
    PayloadCipher with =
        cipher
            .get()
            .orElseThrow(
                () ->
                    new InboxException(
                        "What the handler of message "
                            + messageId
                            + " left or said is encrypted, and the application has no PayloadCipher"
                            + " that the inbox's module can see. It stays where it is. Deploy the"
                            + " cipher.",
                        null));
    try {
      byte[] plain =
          with.decrypt(KeptContents.unpacked(Base64.getDecoder().decode(sealed)), messageId);
      return new String(plain, StandardCharsets.UTF_8);
    } catch (Exception refused) { // the application's; what it says may be part of a key
      throw new InboxException(
          "What the handler of message %s left or said cannot be decrypted (%s). It stays where it is. Let the PayloadCipher know its key."
              .formatted(messageId, refused.getClass().getName()),
          refused);
    }
  }

  /** Likewise, for people and the log: that it cannot be decrypted is said in its place. */
  public String openOrTell(String messageId, String clear, @Nullable String sealed) {
    try {
      String text = open(messageId, clear, sealed);
      return text == null ? "" : text;
    } catch (InboxException refused) {
      return "encrypted, and cannot be decrypted here: " + cause(refused).getClass().getName();
    }
  }

  /**
   * Refuses to look for a text in what is encrypted: it would find nothing, and say nothing of it.
   *
   * @throws IllegalArgumentException if the filter asks for that, and there is a cipher
   */
  public void requireSearchable(KeptFilter filter) {
    if (filter.criteria().containsKey(Criterion.ERROR_CONTAINS) && cipher.get().isPresent()) {
      throw new IllegalArgumentException(
          "Errors cannot be searched for a text (%s), because the application has a PayloadCipher and they are encrypted; nothing was changed. Ask for the signature, which errors of one cause have in common: KeptFilter.signature(ParkedMessage.signature())."
              .formatted(filter));
    }
  }

  private static Throwable cause(InboxException refused) {
    Throwable cause = refused.getCause();
    return cause == null ? refused : cause;
  }
}
