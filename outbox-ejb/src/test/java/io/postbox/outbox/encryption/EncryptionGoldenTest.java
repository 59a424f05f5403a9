package io.postbox.outbox.encryption;

import io.postbox.common.PayloadCipher;
import io.postbox.common.testing.Golden;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The data to which other releases bind encrypted rows, and their names of the key. */
class EncryptionGoldenTest {

  /** Its cipher text is the associated data that it was given. */
  private static final PayloadCipher TELLING =
      new PayloadCipher() {
        @Override
        public Encrypted encrypt(byte[] plain, AssociatedData associated) {
          return new Encrypted(associated.bytes(), "key-1");
        }

        @Override
        public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
          return associated.bytes();
        }
      };

  @Test
  void aRowStaysReadable() throws Exception {
    Sealing sealing = new Sealing(TELLING);
    Envelope text = envelope(new Body.Text("x"));
    Envelope reference = envelope(new Body.Reference("orders", "7", null));
    Golden.of("encryption")
        .holds(
            Stream.of(
                new String(sealing.body(text).value(), StandardCharsets.UTF_8),
                sealing.headers(text),
                new String(
                    SealedText.HEADERS.fromText(sealing.headers(reference)).value(),
                    StandardCharsets.UTF_8)));
  }

  private static Envelope envelope(Body body) {
    return new Envelope(
        UUID.fromString("018f6f3a-0000-7000-8000-000000000001"),
        "shipping",
        "Order/7",
        "Order",
        "7",
        null,
        "OrderPlaced",
        "2.1",
        "text/plain",
        body,
        "{}",
        null);
  }
}
