package io.postbox.outbox.payload;

import io.postbox.common.PayloadCipher;
import io.postbox.common.log.MachineErrors;
import io.postbox.common.log.Throttle;
import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.PayloadLoader;
import io.postbox.outbox.encryption.Sealing;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.log.WatchLog;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Resolves payloads with the application's PayloadLoader and PayloadCipher. Thread-safe, as those
 * are.
 */
public final class ApplicationPayloadResolver implements PayloadResolver {
  private static final String NO_LOADER = "the application on this node has no PayloadLoader";
  private static final String NO_CIPHER = "the application on this node has no PayloadCipher";

  private final Optional<PayloadLoader> loader;
  private final Optional<Sealing> sealing;
  private final Optional<KnownKeys> keys;
  private final int maxPayload;
  private final boolean encryptionRequired;
  private final Throttle plainRows;

  /**
   * @param loader loads references
   * @param cipher decrypts
   * @param maxPayload the largest payload in bytes, loaded ones too
   * @param encryptionRequired whether a row in the clear is not sent
   */
  public ApplicationPayloadResolver(
      Optional<PayloadLoader> loader,
      Optional<PayloadCipher> cipher,
      int maxPayload,
      boolean encryptionRequired) {
    this(loader, cipher, maxPayload, encryptionRequired, System::nanoTime);
  }

  ApplicationPayloadResolver(
      Optional<PayloadLoader> loader,
      Optional<PayloadCipher> cipher,
      int maxPayload,
      boolean encryptionRequired,
      LongSupplier nanos) {
    this.loader = loader;
    sealing = cipher.map(Sealing::new);
    keys = cipher.map(found -> new KnownKeys(found, nanos));
    this.maxPayload = maxPayload;
    this.encryptionRequired = encryptionRequired;
    plainRows = new Throttle(nanos);
  }

  /** With a cipher every row is checked, for it may be in the clear. */
  @Override
  public boolean appliesTo(StoredMessage message) {
    return encryptionRequired
        || sealing.isPresent()
        || Sealing.hasSealedHeaders(message.envelope())
        || PayloadResolver.super.appliesTo(message);
  }

  @Override
  public Optional<String> lacksFor(StoredMessage message) {
    Envelope envelope = message.envelope();
    if (envelope.body() instanceof Body.Reference && loader.isEmpty()) {
      return Optional.of(NO_LOADER);
    }
    return Stream.of(keyOfBody(envelope), keyOfHeaders(envelope))
        .flatMap(Optional::stream)
        .filter(key -> keys.isEmpty() || keys.get().isUnknownNow(key))
        .findFirst()
        .map(key -> sealing.isEmpty() ? NO_CIPHER : unknown(key));
  }

  private static Optional<String> keyOfBody(Envelope envelope) {
    return envelope.body() instanceof Body.Encrypted encrypted
        ? Optional.of(encrypted.key())
        : Optional.empty();
  }

  private static Optional<String> keyOfHeaders(Envelope envelope) {
    try {
      return Sealing.hasSealedHeaders(envelope)
          ? Optional.of(Sealing.keyOfHeaders(envelope))
          : Optional.empty();
    } catch (IllegalArgumentException mutilated) { // resolving it reports that
      return Optional.empty();
    }
  }

  private static String unknown(String key) {
    return "the cipher on this node does not know the key '%s'".formatted(key);
  }

  @Override
  public Envelope resolve(StoredMessage message) throws PayloadFailure {
    refuseOrWarnIfPlaintext(message);
    Envelope stored = message.envelope();
    String headers = headers(message);
    if (stored.body() instanceof Body.Reference reference) {
      LoadedPayload loaded = load(reference);
      return stored.carrying(loaded.contentType(), body(loaded), headers);
    }
    return stored.carrying(
        stored.contentType(),
        stored.body() instanceof Body.Encrypted encrypted
            ? decrypt(message, encrypted)
            : stored.body(),
        headers);
  }

  private void refuseOrWarnIfPlaintext(StoredMessage message) throws PayloadFailure {
    if (Sealing.isSealed(message.envelope())) {
      return;
    }
    if (encryptionRequired) {
      throw PayloadFailure.ofMessage(
          "its row is not encrypted, and postbox.encryption=required has no such row sent", null);
    }
    if (sealing.isPresent()) {
      plainRows.tell(WatchLog::plainRows);
    }
  }

  private LoadedPayload load(Body.Reference reference) throws PayloadFailure {
    PayloadLoader beans = loader.orElseThrow(() -> PayloadFailure.ofNode(NO_LOADER, null));
    try {
      LoadedPayload loaded =
          beans
              .load(reference.table(), reference.id())
              .orElseThrow(() -> new Unfit("there is none"));
      return checked(loaded);
    } catch (Unfit unfit) {
      throw PayloadFailure.ofMessage("its payload was not loaded: " + unfit.getMessage(), unfit);
    } catch (Throwable failed) { // it is the application's
      MachineErrors.rethrow(failed);
      String reason = "its payload was not loaded: " + OutboxLog.reason(failed);
      throw LoaderFailureClassifier.isUnavailable(failed)
          ? PayloadFailure.ofSource(reason, failed)
          : PayloadFailure.ofMessage(reason, failed);
    }
  }

  /** It was loaded, and cannot be sent; the text is ours. */
  private static final class Unfit extends Exception {
    private static final long serialVersionUID = 1L;

    Unfit(String message) {
      super(message);
    }
  }

  private LoadedPayload checked(LoadedPayload loaded) throws Unfit {
    String type = loaded.contentType();
    if (type.isBlank() || type.length() > 100) {
      throw new Unfit("its content type has to have 1 to 100 characters");
    }
    long size = body(loaded).octets().length;
    if (size > maxPayload) {
      throw new Unfit(
          "it has %s bytes, and at most %s are allowed by postbox.outbox.max-payload"
              .formatted(size, maxPayload));
    }
    return loaded;
  }

  private static Body.Open body(LoadedPayload loaded) {
    return loaded instanceof LoadedPayload.Text text
        ? new Body.Text(text.value())
        : new Body.Bytes(((LoadedPayload.Bytes) loaded).value());
  }

  private Body decrypt(StoredMessage message, Body.Encrypted encrypted) throws PayloadFailure {
    String key = "its payload is encrypted with the key '" + encrypted.key() + "'";
    return opened(encrypted.key(), key, cipher -> cipher.openBody(message.envelope()));
  }

  private String headers(StoredMessage message) throws PayloadFailure {
    Envelope envelope = message.envelope();
    if (!Sealing.hasSealedHeaders(envelope)) {
      return envelope.headers();
    }
    String key;
    try {
      key = Sealing.keyOfHeaders(envelope);
    } catch (IllegalArgumentException mutilated) {
      throw PayloadFailure.ofMessage(
          "its headers are encrypted, and not as the outbox writes them", mutilated);
    }
    String what = "its headers are encrypted with the key '" + key + "'";
    return opened(key, what, cipher -> cipher.openHeaders(envelope));
  }

  private interface Decryption<T> {
    T with(Sealing sealing) throws Exception;
  }

  /** Messages of the cipher's exceptions are written nowhere: they could hold part of a key. */
  private <T> T opened(String key, String what, Decryption<T> decryption) throws PayloadFailure {
    Sealing cipher = sealing.orElseThrow(() -> PayloadFailure.ofNode(NO_CIPHER, null));
    KnownKeys known = keys.orElseThrow();
    try {
      T plain = decryption.with(cipher);
      known.decryptedWith(key);
      return plain;
    } catch (Throwable failed) { // it is the application's
      MachineErrors.rethrow(failed);
      if (!known.isKnown(key)) {
        throw PayloadFailure.ofNode(unknown(key), failed);
      }
      throw PayloadFailure.ofMessage(
          what + " and was not decrypted: " + failed.getClass().getName(), failed);
    }
  }
}
