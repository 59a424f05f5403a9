package io.postbox.inbox.store;

import io.postbox.common.PayloadCipher;
import io.postbox.inbox.InboxException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The application's cipher, if it has one, and what follows where it has none, or where a row is
 * not encrypted beside it. Thread-safe.
 */
final class Ciphers {
  static final Duration PAUSE = Duration.ofMinutes(1);

  private final Supplier<Optional<PayloadCipher>> cipher;
  private final boolean isRequired;
  private final LongSupplier nanos;
  private final LongConsumer told;
  private long untold;
  private long lastTold;
  private boolean wasTold;

  /**
   * @param cipher asked each time, because the application's beans come late
   * @param isRequired whether nothing is written or read in the clear
   * @param nanos the time in nanoseconds, since some moment or other
   * @param told told how often something was read in the clear beside a cipher, once a minute
   */
  Ciphers(
      Supplier<Optional<PayloadCipher>> cipher,
      boolean isRequired,
      LongSupplier nanos,
      LongConsumer told) {
    this.cipher = cipher;
    this.isRequired = isRequired;
    this.nanos = nanos;
    this.told = told;
  }

  boolean areThere() {
    return cipher.get().isPresent();
  }

  /**
   * To encrypt with; nothing if it is to be written in the clear.
   *
   * @throws InboxException if there has to be one
   */
  Optional<PayloadCipher> toSeal() {
    Optional<PayloadCipher> found = cipher.get();
    if (found.isEmpty() && isRequired) {
      throw missing("postbox.encryption=required has it encrypted");
    }
    return found;
  }

  /**
   * To decrypt with.
   *
   * @throws InboxException if there is none
   */
  PayloadCipher toOpen() {
    return cipher.get().orElseThrow(() -> missing("it is encrypted"));
  }

  /**
   * Something was found in the clear, and is about to be read.
   *
   * @throws InboxException if it must not be
   */
  void foundPlain() {
    if (isRequired) {
      throw new InboxException(
          "it is not encrypted, and postbox.encryption=required has nothing read in the clear",
          null);
    }
    if (areThere()) {
      tellOfPlain();
    }
  }

  private void tellOfPlain() {
    long times;
    synchronized (this) {
      untold++;
      if (wasTold && nanos.getAsLong() - lastTold < PAUSE.toNanos()) {
        return;
      }
      times = untold;
      untold = 0;
      lastTold = nanos.getAsLong();
      wasTold = true;
    }
    told.accept(times);
  }

  private static InboxException missing(String why) {
    return new InboxException(
        why + ", and the application has no PayloadCipher that the inbox's module can see", null);
  }
}
