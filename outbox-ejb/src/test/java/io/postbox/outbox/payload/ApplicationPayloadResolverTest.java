package io.postbox.outbox.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.common.log.Throttle;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.PayloadLoader;
import io.postbox.outbox.PayloadUnavailableException;
import io.postbox.outbox.encryption.Sealing;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.PayloadFailure.Fault;
import io.postbox.outbox.testing.LogLines;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ApplicationPayloadResolverTest {
  private static final UUID ID = new UUID(7, 7);
  private static final String HEADERS = "{\"properties\":{\"customer\":\"string:Ada\"}}";

  private static StoredMessage message(String type, Body body) {
    Envelope envelope =
        new Envelope(ID, "d", null, null, null, null, null, null, type, body, "{}", null);
    return new StoredMessage(1, envelope, 0, Instant.EPOCH, Duration.ZERO, null, null);
  }

  private static Envelope load(PayloadLoader loader) throws PayloadFailure {
    return new ApplicationPayloadResolver(Optional.of(loader), Optional.empty(), 10, false)
        .resolve(message("message/external-body", new Body.Reference("invoices", "7", null)));
  }

  private static Envelope decrypt(Optional<PayloadCipher> cipher, Envelope sealed)
      throws PayloadFailure {
    return new ApplicationPayloadResolver(Optional.empty(), cipher, 10, false)
        .resolve(stored(sealed));
  }

  private static StoredMessage stored(Envelope envelope) {
    return new StoredMessage(1, envelope, 0, Instant.EPOCH, Duration.ZERO, null, null);
  }

  private static Envelope envelope(
      UUID id, String destination, String event, String type, Body body, String headers) {
    return new Envelope(
        id, destination, null, "Order", "7", null, event, null, type, body, headers, null);
  }

  /** As it is enqueued. */
  private static Envelope sealed(PayloadCipher cipher, Envelope plain) throws Exception {
    Sealing sealing = new Sealing(cipher);
    PayloadCipher.Encrypted body = sealing.body(plain);
    return plain.carrying(
        plain.contentType(),
        new Body.Encrypted(body.value(), body.keyId()),
        sealing.headers(plain));
  }

  private static Envelope sealed(PayloadCipher cipher, String type, Body body) throws Exception {
    return sealed(cipher, envelope(ID, "d", "OrderPlaced", type, body, HEADERS));
  }

  private static void assertFault(PayloadLoader loader, boolean ofTheMessage, String... says) {
    assertThatThrownBy(() -> load(loader))
        .isInstanceOfSatisfying(
            PayloadFailure.class,
            failure ->
                assertThat(failure.fault()).isEqualTo(ofTheMessage ? Fault.MESSAGE : Fault.SOURCE))
        .hasMessageContainingAll(says);
  }

  private static PayloadLoader failing(Exception with) {
    return (table, id) -> {
      throw with;
    };
  }

  @Test
  void aLoaderIsAskedForWhatTheRowRefersTo() throws PayloadFailure {
    assertThat(load((table, id) -> Optional.of(LoadedPayload.json(table + id))).body())
        .isEqualTo(new Body.Text("invoices7"));
    assertThat(load((table, id) -> Optional.of(LoadedPayload.json(table))).contentType())
        .isEqualTo("application/json");
    Envelope octets = load((table, id) -> Optional.of(LoadedPayload.bytes(new byte[] {1, 2})));
    assertThat(octets.contentType()).isEqualTo("application/octet-stream");
    assertThat(((Body.Bytes) octets.body()).value()).containsExactly(1, 2);
  }

  @Test
  void aMissingPayloadIsTheMessagesFault() {
    assertFault((table, id) -> Optional.empty(), true, "not loaded", "there is none");
  }

  @Test
  void theSizeLimitHoldsForLoads() throws PayloadFailure {
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
  void aLoadersMessageIsLeftOutIfOnlyClassesAreShown() {
    OutboxLog.EXCEPTIONS.tellOnlyClasses(true);
    try {
      assertThatThrownBy(() -> load(failing(new IllegalArgumentException("card 4711"))))
          .hasMessageContaining("not loaded: java.lang.IllegalArgumentException")
          .hasMessageNotContaining("4711");
    } finally {
      OutboxLog.EXCEPTIONS.tellOnlyClasses(false);
    }
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
                new ApplicationPayloadResolver(Optional.empty(), Optional.empty(), 10, false)
                    .resolve(message("message/external-body", new Body.Reference("t", "1", null))))
        .isInstanceOfSatisfying(
            PayloadFailure.class, failure -> assertThat(failure.fault()).isEqualTo(Fault.NODE))
        .hasMessageContaining("no PayloadLoader");
  }

  @Test
  void textOctetsAndHeadersComeBackAsWhatTheyWere() throws Exception {
    SampleCipher cipher = new SampleCipher("k1");
    byte[] plain = "Grüße".getBytes(StandardCharsets.UTF_8);
    Envelope text = sealed(cipher, "application/json", new Body.Text("Grüße"));
    Envelope octets = sealed(cipher, "application/octet-stream", new Body.Bytes(plain));

    assertThat(decrypt(Optional.of(cipher), text))
        .isEqualTo(text.carrying("application/json", new Body.Text("Grüße"), HEADERS));
    Envelope opened = decrypt(Optional.of(cipher), octets);
    assertThat(((Body.Bytes) opened.body()).value()).isEqualTo(plain);
    assertThat(text.headers()).doesNotContain("Ada");
  }

  @Test
  void anOldKeyStillDecryptsAfterRotation() throws Exception {
    SampleCipher cipher = new SampleCipher("k1");
    Envelope old = sealed(cipher, "text/plain", new Body.Text("x"));
    cipher.rotateTo("k2");
    assertThat(Sealing.keyOfHeaders(sealed(cipher, "text/plain", new Body.Text("x"))))
        .isEqualTo("k2");
    assertThat(decrypt(Optional.of(cipher), old).headers()).isEqualTo(HEADERS);
  }

  @Test
  void anUnknownKeyIsNotTheMessagesFaultAndOnlyTheKeyIsNamed() throws Exception {
    Envelope sealed = sealed(new SampleCipher("k2"), "text/plain", new Body.Text("secret"));
    assertThatThrownBy(() -> decrypt(Optional.of(new SampleCipher("k1")), sealed))
        .isInstanceOfSatisfying(
            PayloadFailure.class, failure -> assertThat(failure.fault()).isEqualTo(Fault.NODE))
        .hasMessageContaining("the key 'k2'")
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining("no such key");
  }

  @Test
  void aKeyThatANodeLearnsIsTriedAgainAfterAMoment() throws Exception {
    AtomicLong nanos = new AtomicLong();
    SampleCipher writer = new SampleCipher("k2");
    SampleCipher reader = new SampleCipher("k1");
    StoredMessage sealed = stored(sealed(writer, "text/plain", new Body.Text("x")));
    ApplicationPayloadResolver resolver =
        new ApplicationPayloadResolver(
            Optional.empty(), Optional.of(reader), 10, false, nanos::get);
    assertThat(resolver.lacksFor(sealed)).as("not tried yet").isEmpty();
    assertThatThrownBy(() -> resolver.resolve(sealed)).isInstanceOf(PayloadFailure.class);
    assertThat(resolver.lacksFor(sealed))
        .hasValue("the cipher on this node does not know the key 'k2'");
    reader.learnFrom(writer);
    assertThat(resolver.lacksFor(sealed)).isPresent();

    nanos.addAndGet(KnownKeys.AGAIN.toNanos());
    assertThat(resolver.lacksFor(sealed)).isEmpty();
    assertThat(resolver.resolve(sealed).body()).isEqualTo(new Body.Text("x"));
    assertThat(resolver.lacksFor(sealed)).isEmpty();
  }

  /** Otherwise whoever may write to the table could have a message wait for ever. */
  @Test
  void aKeyThatHasDecryptedSomethingIsKnownThoughItIsNotThePresentOne() throws Exception {
    SampleCipher cipher = new SampleCipher("k1");
    Envelope one = sealed(cipher, "text/plain", new Body.Text("one"));
    Envelope forged = one.carrying("application/json", one.body(), one.headers());
    cipher.rotateTo("k2");
    ApplicationPayloadResolver resolver = resolver(Optional.of(cipher), false);
    assertThat(faultOf(resolver, forged)).isEqualTo(Fault.NODE);
    resolver.resolve(stored(one));

    assertThat(faultOf(resolver, forged)).isEqualTo(Fault.MESSAGE);
    assertThat(resolver.lacksFor(stored(forged))).isEmpty();
  }

  private static Fault faultOf(ApplicationPayloadResolver resolver, Envelope envelope) {
    try {
      resolver.resolve(stored(envelope));
      throw new AssertionError("it was resolved");
    } catch (PayloadFailure failure) {
      return failure.fault();
    }
  }

  @Test
  void withoutACipherEncryptedMessagesWait() throws Exception {
    Envelope sealed = sealed(new SampleCipher("k1"), "text/plain", new Body.Text(""));
    Envelope onlyHeaders = sealed.carrying("text/plain", new Body.Text(""), sealed.headers());
    for (Envelope each : List.of(sealed, onlyHeaders)) {
      assertThat(resolver(Optional.empty(), false).appliesTo(stored(each))).isTrue();
      assertThatThrownBy(() -> decrypt(Optional.empty(), each))
          .isInstanceOfSatisfying(
              PayloadFailure.class, failure -> assertThat(failure.fault()).isEqualTo(Fault.NODE))
          .hasMessageContaining("no PayloadCipher");
    }
  }

  /** Each of these rows has the payload, or the headers, of another, or was changed. */
  @Test
  void thePayloadOfAnotherRowIsNotDecrypted() throws Exception {
    SampleCipher cipher = new SampleCipher("k1");
    Body body = new Body.Text("secret");
    Envelope one = sealed(cipher, envelope(ID, "d", "OrderPlaced", "text/plain", body, HEADERS));
    List<Envelope> others =
        List.of(
            sealed(
                cipher, envelope(new UUID(8, 8), "d", "OrderPlaced", "text/plain", body, HEADERS)),
            sealed(cipher, envelope(ID, "d", "OrderPlaced", Body.OCTETS, octets(), HEADERS)),
            sealed(cipher, envelope(ID, "e", "OrderPlaced", "text/plain", body, HEADERS)),
            sealed(cipher, envelope(ID, "d", "OrderGone", "text/plain", body, HEADERS)));
    for (Envelope other : others) {
      Envelope withItsBody = one.carrying(one.contentType(), other.body(), one.headers());
      Envelope withItsHeaders = one.carrying(one.contentType(), one.body(), other.headers());
      for (Envelope forged : List.of(withItsBody, withItsHeaders)) {
        assertThatThrownBy(() -> decrypt(Optional.of(cipher), forged))
            .hasMessageContaining("was not decrypted")
            .hasMessageNotContaining("secret");
      }
    }
    Envelope changed = one.carrying("application/json", one.body(), one.headers());
    assertThatThrownBy(() -> decrypt(Optional.of(cipher), changed))
        .hasMessageContaining("was not decrypted");
    Envelope mutilated = one.carrying("text/plain", one.body(), "{\"sealed\":\"x\"}");
    assertThatThrownBy(() -> decrypt(Optional.of(cipher), mutilated))
        .hasMessageContaining("not as the outbox writes them");
  }

  private static Body octets() {
    return new Body.Bytes("secret".getBytes(StandardCharsets.UTF_8));
  }

  private static ApplicationPayloadResolver resolver(
      Optional<PayloadCipher> cipher, boolean required) {
    return new ApplicationPayloadResolver(
        Optional.of((table, id) -> Optional.of(LoadedPayload.text("loaded"))),
        cipher,
        10,
        required);
  }

  private static List<Envelope> plainRows() {
    return List.of(
        envelope(ID, "d", "E", "text/plain", new Body.Text("x"), "{}"),
        envelope(ID, "d", "E", Body.OCTETS, octets(), HEADERS),
        envelope(ID, "d", "E", "message/external-body", new Body.Reference("t", "1", null), "{}"));
  }

  @Test
  void rowsInTheClearAreSentBesideACipherAndLogged() throws Exception {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      AtomicLong now = new AtomicLong();
      ApplicationPayloadResolver resolver =
          new ApplicationPayloadResolver(
              Optional.of((table, id) -> Optional.of(LoadedPayload.text("loaded"))),
              Optional.of(new SampleCipher("k1")),
              10,
              false,
              now::get);
      for (Envelope plain : plainRows()) {
        assertThat(resolver.appliesTo(stored(plain))).isTrue();
        assertThat(resolver.resolve(stored(plain)).headers()).isEqualTo(plain.headers());
      }
      assertThat(log.lines()).singleElement().asString().contains("OBX0062 1 rows");
      now.addAndGet(Throttle.PAUSE.toNanos());
      resolver.resolve(stored(plainRows().get(0)));
      assertThat(log.lines()).hasSize(2).last().asString().contains("OBX0062 3 rows");
    }
  }

  @Test
  void whereEncryptionIsRequiredNoRowInTheClearIsSent() throws Exception {
    SampleCipher cipher = new SampleCipher("k1");
    ApplicationPayloadResolver resolver = resolver(Optional.of(cipher), true);
    List<Envelope> refused = new ArrayList<>(plainRows());
    Envelope sealed = sealed(cipher, "text/plain", new Body.Text("secret"));
    refused.add(sealed.carrying("text/plain", sealed.body(), "{}"));
    for (Envelope plain : refused) {
      assertThat(resolver.appliesTo(stored(plain))).isTrue();
      assertThatThrownBy(() -> resolver.resolve(stored(plain)))
          .isInstanceOfSatisfying(
              PayloadFailure.class, failure -> assertThat(failure.fault()).isEqualTo(Fault.MESSAGE))
          .hasMessageContaining("not encrypted, and postbox.encryption=required");
    }
    assertThat(resolver.resolve(stored(sealed)).body()).isEqualTo(new Body.Text("secret"));
  }

  @Test
  void withoutACipherRowsInTheClearTakeNoDetour() {
    for (Envelope plain : plainRows().subList(0, 2)) {
      assertThat(resolver(Optional.empty(), false).appliesTo(stored(plain))).isFalse();
    }
  }
}
