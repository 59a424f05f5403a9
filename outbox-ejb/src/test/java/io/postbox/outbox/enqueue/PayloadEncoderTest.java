package io.postbox.outbox.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.enqueue.PayloadEncoder.Packed;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PayloadEncoderTest {
  private static final UUID ID = new UUID(1, 2);
  private static final OutboxMessage MESSAGE = OutboxMessage.to("shipping");
  private static final int MAX_PAYLOAD = 8;
  private static final int LARGEST_STORED = 6;

  /** One octet longer than what it encrypts, and tied to the message. */
  private static final class Longer implements PayloadCipher {
    private final String key;

    Longer(String key) {
      this.key = key;
    }

    @Override
    public Encrypted encrypt(byte[] payload, AssociatedData associated) {
      assertThat(associated.text()).contains(" id=36:" + ID).contains(" destination=8:shipping");
      return new Encrypted(new byte[payload.length + 1], key);
    }

    @Override
    public byte[] decrypt(Encrypted payload, AssociatedData associated) {
      throw new UnsupportedOperationException("nothing is read here");
    }
  }

  private static Envelope pack(OutboxMessage message, PayloadCipher cipher, boolean canLoad) {
    MessageValidator checks = new MessageValidator(message);
    PayloadEncoder encoder =
        new PayloadEncoder(
            MAX_PAYLOAD, LARGEST_STORED, String::valueOf, Optional.ofNullable(cipher), canLoad);
    Packed packed = encoder.pack(message, checks);
    return encoder.seal(
        new Envelope(
            ID,
            message.destination(),
            null,
            null,
            null,
            null,
            null,
            null,
            packed.contentType(),
            packed.body(),
            "{}",
            null),
        checks);
  }

  private static void assertRefused(
      OutboxMessage message, PayloadCipher cipher, boolean canLoad, String why) {
    assertThatThrownBy(() -> pack(message, cipher, canLoad))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aPayloadMayFillTheColumn() {
    assertThat(pack(MESSAGE.text("123456"), null, false).body()).isEqualTo(new Body.Text("123456"));
    assertRefused(
        MESSAGE.text("1234567"),
        null,
        false,
        "takes 7 bytes in the table, and the database's column holds 6");
    assertRefused(
        MESSAGE.text("123456789"),
        null,
        false,
        "has 9 bytes, and at most 8 are allowed by postbox.outbox.max-payload");
  }

  @Test
  void theCipherTextIsStored() {
    Envelope packed = pack(MESSAGE.text("12345"), new Longer("k-1"), false);

    assertThat(packed.contentType()).isEqualTo("text/plain");
    assertThat(packed.body())
        .isInstanceOfSatisfying(
            Body.Encrypted.class,
            body -> {
              assertThat(body.value()).hasSize(6);
              assertThat(body.key()).isEqualTo("k-1");
            });
  }

  @Test
  void theCipherTextHasToFit() {
    assertRefused(MESSAGE.text("123456"), new Longer("k-1"), false, "takes 7 bytes in the table");
    assertRefused(MESSAGE.text("1"), new Longer(" "), false, "its encryption's key id is blank");
    assertRefused(
        MESSAGE.text("1"),
        new Longer("k".repeat(101)),
        false,
        "its encryption's key id has 101 characters, and at most 100 fit");
  }

  @Test
  void aReferenceIsStoredAsOne() {
    Envelope packed = pack(MESSAGE.reference("invoice_pdf", "4711"), null, true);

    assertThat(packed.contentType()).isEqualTo("message/external-body");
    assertThat(packed.body()).isEqualTo(new Body.Reference("invoice_pdf", "4711", null));
  }

  @Test
  void aReferenceHasToFitAndToBeOfUse() {
    assertRefused(
        MESSAGE.reference("t", "1"), null, false, "implements io.postbox.outbox.PayloadLoader");
    assertRefused(
        MESSAGE.reference("t".repeat(101), "1"), null, true, "its reference's table has 101");
    assertRefused(
        MESSAGE.reference("t", "1".repeat(201)), null, true, "its reference's id has 201");
  }
}
