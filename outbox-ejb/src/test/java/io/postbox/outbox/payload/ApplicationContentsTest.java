package io.postbox.outbox.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.PayloadCipher;
import io.postbox.outbox.PayloadCipher.Encrypted;
import io.postbox.outbox.PayloadLoader;
import io.postbox.outbox.PayloadUnavailableException;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.Contents.Content;
import io.postbox.outbox.relay.SendFailure;
import io.postbox.outbox.relay.SendFailure.Fault;
import io.postbox.outbox.testing.SampleCipher;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ApplicationContentsTest {
  private static final UUID ID = new UUID(7, 7);

  private static StoredMessage message(String type, Body body) {
    Envelope envelope = new Envelope(ID, "d", null, null, null, null, null, type, body, "{}", null);
    return new StoredMessage(1, envelope, 0, Instant.EPOCH, Duration.ZERO, null, null);
  }

  private static Content load(PayloadLoader loader) throws SendFailure {
    return new ApplicationContents(Optional.of(loader), Optional.empty(), 10)
        .of(message("message/external-body", new Body.Reference("invoices", "7", null)));
  }

  private static Content decrypt(Optional<PayloadCipher> cipher, String type, Encrypted encrypted)
      throws SendFailure {
    return new ApplicationContents(Optional.empty(), cipher, 10)
        .of(message(type, new Body.Encrypted(encrypted.value(), encrypted.keyId())));
  }

  private static void assertFault(PayloadLoader loader, boolean ofTheMessage, String... says) {
    assertThatThrownBy(() -> load(loader))
        .isInstanceOfSatisfying(
            SendFailure.class,
            failure ->
                assertThat(failure.fault())
                    .isEqualTo(ofTheMessage ? Fault.MESSAGE : Fault.DESTINATION))
        .hasMessageContainingAll(says);
  }

  private static PayloadLoader failing(Exception with) {
    return (table, id) -> {
      throw with;
    };
  }

  @Test
  void aLoaderIsAskedForWhatTheRowRefersTo() throws SendFailure {
    assertThat(load((table, id) -> Optional.of(LoadedPayload.json(table + id))).body())
        .isEqualTo(new Body.Text("invoices7"));
    assertThat(load((table, id) -> Optional.of(LoadedPayload.json(table))).type())
        .isEqualTo("application/json");
    Content octets = load((table, id) -> Optional.of(LoadedPayload.bytes(new byte[] {1, 2})));
    assertThat(octets.type()).isEqualTo("application/octet-stream");
    assertThat(((Body.Bytes) octets.body()).value()).containsExactly(1, 2);
  }

  @Test
  void whatIsNotThereIsTheMessagesFault() {
    assertFault((table, id) -> Optional.empty(), true, "not loaded", "there is none");
  }

  @Test
  void theSizeLimitHoldsForLoads() throws SendFailure {
    assertThat(load((table, id) -> Optional.of(LoadedPayload.text("é".repeat(5))))).isNotNull();
    assertFault(
        (table, id) -> Optional.of(LoadedPayload.text("é".repeat(5) + "x")),
        true,
        "11 bytes",
        "at most 10",
        "max-payload");
    assertFault((table, id) -> Optional.of(LoadedPayload.bytes(new byte[11])), true, "11 bytes");
  }

  @Test
  void aContentTypeOutOfBoundsIsTheMessagesFault() {
    assertFault((table, id) -> Optional.of(new LoadedPayload.Text(" ", "x")), true, "content type");
    assertFault(
        (table, id) -> Optional.of(new LoadedPayload.Text("x".repeat(101), "x")),
        true,
        "content type");
  }

  @Test
  void anyExceptionIsTheMessagesFault() {
    assertFault(failing(new IllegalArgumentException("no such table")), true, "no such table");
    assertFault(failing(new SQLException("syntax", "42000")), true, "syntax");
    assertFault(
        (table, id) -> {
          throw new NoClassDefFoundError("Invoice");
        },
        true,
        "Invoice");
  }

  @Test
  void aSourceThatDoesNotAnswerIsNoMessagesFault() {
    assertFault(failing(new PayloadUnavailableException("S3", null)), false, "S3");
    assertFault(failing(new SQLTransientConnectionException("pool")), false, "pool");
    assertFault(failing(new SQLException("shut down", "57P01")), false, "shut down");
    assertFault(
        failing(new IllegalStateException("wrapped", new SQLException("lost", "08006"))),
        false,
        "lost");
    assertFault(failing(new RuntimeException(new ConnectException("refused"))), false, "refused");
    for (String state : List.of("53100", "58030", "90028", "90031", "90108")) {
      assertFault(failing(new SQLException("short of something", state)), false, "short of");
    }
  }

  @Test
  void aCircleOfCausesEnds() {
    Exception one = new Exception("one");
    one.initCause(new Exception("two", one));
    assertFault(failing(one), true, "one");
  }

  @Test
  void withoutALoaderReferencesWait() {
    assertThatThrownBy(
            () ->
                new ApplicationContents(Optional.empty(), Optional.empty(), 10)
                    .of(message("message/external-body", new Body.Reference("t", "1", null))))
        .isInstanceOfSatisfying(
            SendFailure.class, failure -> assertThat(failure.fault()).isEqualTo(Fault.DESTINATION))
        .hasMessageContaining("no PayloadLoader");
  }

  @Test
  void textAndOctetsComeBackAsWhatTheyWere() throws Exception {
    SampleCipher cipher = new SampleCipher("k1");
    byte[] plain = "Grüße".getBytes(StandardCharsets.UTF_8);
    Encrypted encrypted = cipher.encrypt(plain, ID);

    assertThat(decrypt(Optional.of(cipher), "application/json", encrypted))
        .isEqualTo(new Content("application/json", new Body.Text("Grüße")));
    Content octets = decrypt(Optional.of(cipher), "application/octet-stream", encrypted);
    assertThat(((Body.Bytes) octets.body()).value()).isEqualTo(plain);
  }

  @Test
  void anOldKeyStillDecryptsAfterRotation() throws Exception {
    SampleCipher cipher = new SampleCipher("k1");
    Encrypted old = cipher.encrypt(new byte[] {1}, ID);
    cipher.rotateTo("k2");
    assertThat(cipher.encrypt(new byte[] {1}, ID).keyId()).isEqualTo("k2");
    assertThat(decrypt(Optional.of(cipher), "text/plain", old)).isNotNull();
  }

  @Test
  void anUnknownKeyIsTheMessagesFaultAndOnlyTheKeyIsNamed() throws Exception {
    Encrypted encrypted =
        new SampleCipher("k2").encrypt("secret".getBytes(StandardCharsets.UTF_8), ID);
    assertThatThrownBy(() -> decrypt(Optional.of(new SampleCipher("k1")), "text/plain", encrypted))
        .isInstanceOfSatisfying(
            SendFailure.class, failure -> assertThat(failure.fault()).isEqualTo(Fault.MESSAGE))
        .hasMessageContaining("the key 'k2'")
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining("no such key");
  }

  @Test
  void withoutACipherEncryptedMessagesWait() throws Exception {
    Encrypted encrypted = new SampleCipher("k1").encrypt(new byte[0], ID);
    assertThatThrownBy(() -> decrypt(Optional.empty(), "text/plain", encrypted))
        .isInstanceOfSatisfying(
            SendFailure.class, failure -> assertThat(failure.fault()).isEqualTo(Fault.DESTINATION))
        .hasMessageContaining("no PayloadCipher");
  }

  @Test
  void aCipherTextMovedToAnotherMessageIsNotDecrypted() throws Exception {
    SampleCipher cipher = new SampleCipher("k1");
    Encrypted ofAnother = cipher.encrypt(new byte[] {1}, UUID.randomUUID());
    assertThatThrownBy(() -> decrypt(Optional.of(cipher), "text/plain", ofAnother))
        .hasMessageContaining("was not decrypted");
  }
}
