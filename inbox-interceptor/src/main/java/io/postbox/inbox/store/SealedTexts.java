package io.postbox.inbox.store;

import io.postbox.common.PayloadCipher;
import io.postbox.common.log.MachineErrors;
import io.postbox.common.ops.ApplicationCalls;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptFilter.Criterion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Converts texts that may reveal a message's content: handlers' results and the texts of their
 * exceptions. Encrypts them with the application's cipher, if there is one; rows from before the
 * cipher stay unchanged. Thread-safe.
 */
public final class SealedTexts {
  /** The error of a parked message. */
  public static final String ERROR = "error";

  private static final String LEFT_OUT = "left out, because it could not be encrypted: ";

  /** How long a text that is left out otherwise may take to encrypt. */
  static final Duration LIMIT = Duration.ofSeconds(5);

  private final Ciphers ciphers;
  private final ApplicationCalls calls;
  private final Duration limit;

  /**
   * @param calls runs the cipher for texts that are left out if it hangs
   * @param limit how long it may take then
   */
  SealedTexts(Ciphers ciphers, ApplicationCalls calls, Duration limit) {
    this.ciphers = ciphers;
    this.calls = calls;
    this.limit = limit;
  }

  /**
   * A stored text, in one of two columns; in none if there is no text.
   *
   * @param clear the plaintext
   * @param sealed in Base64: the length of the key's id (two bytes), the key's id and the cipher
   *     text
   */
  record Stored(@Nullable String clear, @Nullable String sealed) {
    /** The plaintext column's value where the column must not be null. */
    String clearOrEmpty() {
      return clear == null ? "" : clear;
    }
  }

  /**
   * Encrypts a text.
   *
   * @param place its row
   * @param column its column
   * @throws InboxException if it cannot be encrypted
   */
  Stored seal(Place place, String column, @Nullable String text) {
    if (text == null) {
      return new Stored(null, null);
    }
    try {
      Optional<PayloadCipher> with = ciphers.toSeal();
      if (with.isEmpty()) {
        return new Stored(text, null);
      }
      byte[] plain = text.getBytes(StandardCharsets.UTF_8);
      byte[] packed = KeptContents.packed(with.get().encrypt(plain, place.of(column)));
      return new Stored(null, Base64.getEncoder().encodeToString(packed));
    } catch (Throwable refused) { // the application's; its text may contain part of a key
      MachineErrors.rethrow(refused);
      throw new InboxException(
          "The result or error of message %s cannot be encrypted (%s), and was not written. Repair the PayloadCipher."
              .formatted(place.messageId(), refused.getClass().getName()),
          refused);
    }
  }

  /**
   * Encrypts a text that must be stored in any case, within the limit; if that fails, stores a note
   * instead. A cipher that hangs costs a thread, but not the caller's.
   */
  Stored sealOrLeaveOut(Place place, String column, String text) {
    if (ciphers.writePlain()) {
      return new Stored(text, null);
    }
    AtomicReference<Stored> sealed = new AtomicReference<>();
    Optional<String> problem =
        calls.attempt("errors", limit, () -> sealed.set(sealOrTell(place, column, text)));
    return problem.map(SealedTexts::leftOut).orElseGet(sealed::get);
  }

  private Stored sealOrTell(Place place, String column, String text) {
    try {
      return seal(place, column, text);
    } catch (InboxException refused) {
      return leftOut(cause(refused).getClass().getName());
    }
  }

  private static Stored leftOut(String why) {
    return new Stored(LEFT_OUT + why, null);
  }

  /**
   * Decrypts a stored text.
   *
   * @param place its row
   * @param column its column
   * @throws InboxException if it cannot be decrypted, or is forbidden plaintext
   */
  @Nullable String open(
      Place place, String column, @Nullable String clear, @Nullable String sealed) {
    String what = "The stored text of message " + place.messageId();
    if (sealed == null) {
      if (clear != null && !clear.isEmpty() && !clear.startsWith(LEFT_OUT)) {
        ciphers.foundPlain(what);
      }
      return clear;
    }
    return ciphers.openText(what, sealed, place.of(column));
  }

  /** Whether the application has a cipher. */
  public boolean isEncrypted() {
    return ciphers.areThere();
  }

  /** Decrypts a text for people and the log; if that fails, returns a note instead. */
  public String openOrTell(Place place, String column, String clear, @Nullable String sealed) {
    try {
      String text = open(place, column, clear, sealed);
      return text == null ? "" : text;
    } catch (InboxException refused) {
      return sealed == null
          ? "not encrypted, and postbox.encryption=required forbids reading plaintext"
          : "encrypted, and cannot be decrypted here: " + cause(refused).getClass().getName();
    }
  }

  /**
   * Refuses to search a text in encrypted columns: the search would silently find nothing.
   *
   * @throws IllegalArgumentException if the filter searches errors, and there is a cipher
   */
  public void requireSearchable(KeptFilter filter) {
    if (filter.criteria().containsKey(Criterion.ERROR_CONTAINS) && ciphers.areThere()) {
      throw new IllegalArgumentException(
          "Errors cannot be searched for a text (%s), because the application has a PayloadCipher and they are encrypted; nothing was changed. Filter by the signature, which is the same for all errors of one cause: KeptFilter.signature(KeptMessage.signature())."
              .formatted(filter));
    }
  }

  private static Throwable cause(InboxException refused) {
    Throwable cause = refused.getCause();
    return cause == null ? refused : cause;
  }
}
