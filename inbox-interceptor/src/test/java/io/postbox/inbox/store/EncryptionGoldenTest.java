package io.postbox.inbox.store;

import io.postbox.common.PayloadCipher.AssociatedData;
import io.postbox.common.PayloadCipher.Encrypted;
import io.postbox.common.testing.Golden;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Fingerprint;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The data that encrypted rows of other releases are bound to, and how they name their key. */
class EncryptionGoldenTest {
  private static final Fingerprint FINGERPRINT = new Fingerprint(2, "11".repeat(32));

  @Test
  void aRowStaysReadable() {
    Golden.of("encryption")
        .holds(
            Stream.concat(
                Stream.of(
                        Place.stored("shipping", "m-1", FINGERPRINT).of("payload", BodyType.TEXT),
                        Place.stored("shipping", null, FINGERPRINT)
                            .of("properties", BodyType.BYTES),
                        Place.stored("shipping", "m-1", FINGERPRINT).of("error"),
                        Place.failure("shipping", "m-1").of("reason"),
                        Place.result("shipping", "m-1", "charge").of("result"))
                    .map(AssociatedData::text),
                Stream.of(
                    HexFormat.of()
                        .formatHex(
                            KeptContents.packed(new Encrypted(new byte[] {1, -1}, "key-1"))))));
  }
}
