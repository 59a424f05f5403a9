package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.common.log.Throttle;
import io.postbox.common.ops.ApplicationCalls;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.store.KeptContents.Columns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeptContentsTest {
  private static final String PROPERTIES =
      "{\"headers\":{},\"properties\":{\"customer\":\"string:Ada\"}}";
  private static final Place PLACE = place("shipping", "id-1", "aa");
  private static final List<Content> CONTENTS =
      List.of(
          new Content(BodyType.TEXT, "höchst geheim", null, PROPERTIES),
          new Content(BodyType.TEXT, "", null, PROPERTIES),
          new Content(BodyType.TEXT, null, null, PROPERTIES),
          new Content(BodyType.TEXT_UTF16, null, bytes(0xd8, 0x3d), PROPERTIES),
          new Content(BodyType.BYTES, null, bytes(0, 1, 0xff), PROPERTIES),
          new Content(BodyType.BYTES, null, bytes(), PROPERTIES),
          new Content(BodyType.MAP, "{\"a\":\"integer:5\"}", null, PROPERTIES),
          new Content(BodyType.STREAM, "[\"integer:5\"]", null, PROPERTIES),
          new Content(BodyType.NONE, null, null, PROPERTIES));

  @Test
  void anOpenedContentIsTheSealedOne() {
    for (KeptContents contents : List.of(KeptContents.CLEAR, with(new Turning("key-1")))) {
      for (Content content : CONTENTS) {
        for (String id : new String[] {"id-1", null}) {
          Place place = place("shipping", id, "aa");
          assertThat(contents.open(place, contents.seal(place, content))).isEqualTo(content);
        }
      }
    }
  }

  @Test
  void bodyAndPropertiesAreEncryptedAlsoWithoutABody() {
    for (Content content : CONTENTS) {
      Columns sealed = with(new Turning("key-1")).seal(PLACE, content);
      assertThat(sealed.encrypted()).isTrue();
      assertThat(sealed.text()).isNull();
      assertThat(sealed.properties()).doesNotContain("Ada").doesNotContain("headers");
      if (sealed.bytes() != null) {
        assertThat(new String(sealed.bytes(), StandardCharsets.UTF_8))
            .contains("key-1")
            .doesNotContain("geheim");
      }
    }
  }

  /** Else each failure of a handler would be lost, and its message come again for ever. */
  @Test
  void aCipherThatCannotBeLoadedLosesNoFailureAndStopsNoDelivery() {
    KeptContents contents =
        with(
            new PayloadCipher() {
              @Override
              public Encrypted encrypt(byte[] plain, AssociatedData associated) {
                throw new NoClassDefFoundError("kms/Client");
              }

              @Override
              public byte[] decrypt(Encrypted sealed, AssociatedData associated) {
                throw new AssertionError("of the key 4711");
              }
            });
    Columns sealed = with(new Turning("key-1")).seal(PLACE, CONTENTS.get(0));

    assertThat(contents.texts().sealOrLeaveOut(PLACE, SealedTexts.ERROR, "why").clear())
        .isEqualTo("left out, because it could not be encrypted: java.lang.NoClassDefFoundError");
    assertThatThrownBy(() -> contents.seal(PLACE, CONTENTS.get(0)))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("(java.lang.NoClassDefFoundError)");
    assertThatThrownBy(() -> contents.open(PLACE, sealed))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("(java.lang.AssertionError)")
        .hasMessageNotContaining("4711");
  }

  /** Else one thread would wait for it for ever, and no failure would be counted any more. */
  @Test
  void aCipherThatHangsLosesNoFailureAndCostsTwoThreads() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    PayloadCipher hanging =
        new PayloadCipher() {
          @Override
          public Encrypted encrypt(byte[] plain, AssociatedData associated) throws Exception {
            calls.incrementAndGet();
            answer.await();
            return new Encrypted(plain, "k");
          }

          @Override
          public byte[] decrypt(Encrypted sealed, AssociatedData associated) {
            return sealed.value();
          }
        };
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      SealedTexts texts =
          new KeptContents(
                  new Ciphers(() -> Optional.of(hanging), true, System::nanoTime, times -> {}),
                  new ApplicationCalls(threads, 1),
                  Duration.ofMillis(50))
              .texts();
      for (int i = 0; i < 2; i++) {
        assertThat(texts.sealOrLeaveOut(PLACE, SealedTexts.ERROR, "why").clear())
            .isEqualTo("left out, because it could not be encrypted: not within 50 ms");
      }
      assertThat(texts.sealOrLeaveOut(PLACE, SealedTexts.ERROR, "why").clear())
          .startsWith("left out, because it could not be encrypted: earlier calls")
          .endsWith("still hang");
      assertThat(calls).hasValue(2);
      answer.countDown();
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(texts.sealOrLeaveOut(PLACE, SealedTexts.ERROR, "why").sealed())
                      .isNotNull());
    } finally {
      answer.countDown();
      threads.shutdownNow();
    }
  }

  /** A writer to the table without the key cannot move a content to another message. */
  @Test
  void aRowOfAnotherMessageOrKeyIsNotOpened() {
    KeptContents contents = with(new Turning("key-1"));
    Columns sealed = contents.seal(PLACE, CONTENTS.get(0));
    for (Place other :
        List.of(
            Place.result("shipping", "id-1", "aa".repeat(32)),
            place("billing", "id-1", "aa"),
            place("shipping", "id-2", "aa"),
            place("shipping", null, "aa"),
            place("shipping", "id-1", "bb"))) {
      Columns theirs = contents.seal(other, CONTENTS.get(0));
      for (Columns forged :
          List.of(
              theirs,
              new Columns(BodyType.TEXT, true, null, theirs.bytes(), sealed.properties()),
              new Columns(BodyType.TEXT, true, null, sealed.bytes(), theirs.properties()))) {
        assertThatThrownBy(() -> contents.open(PLACE, forged))
            .isInstanceOf(InboxException.class)
            .hasMessageStartingWith(
                "The message cannot be decrypted (java.lang.IllegalStateException)")
            .hasMessageNotContaining(": moved");
      }
    }
    assertThatThrownBy(
            () ->
                contents.open(
                    PLACE,
                    new Columns(BodyType.BYTES, true, null, sealed.bytes(), sealed.properties())))
        .hasMessageContaining("cannot be decrypted");
    assertThatThrownBy(() -> with(new Turning("key-2")).open(PLACE, sealed))
        .hasMessageContaining("cannot be decrypted");
    assertThatThrownBy(() -> KeptContents.CLEAR.open(PLACE, sealed))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("no PayloadCipher");
  }

  @Test
  void anUnencryptableContentIsNotKept() {
    for (String unusable : List.of("", "k".repeat(101))) {
      assertThatThrownBy(() -> with(new Turning(unusable)).seal(PLACE, CONTENTS.get(0)))
          .isInstanceOf(InboxException.class)
          .hasMessageStartingWith("Message id-1 cannot be kept aside")
          .hasMessageContaining("redelivered")
          .hasMessageNotContaining("geheim");
    }
  }

  @Test
  void whereEncryptionIsRequiredNothingIsKeptOrReadInTheClear() {
    Columns plain = KeptContents.CLEAR.seal(PLACE, CONTENTS.get(0));
    KeptContents strict =
        new KeptContents(() -> Optional.of(new Turning("key-1")), true, times -> {}, Runnable::run);
    assertThatThrownBy(() -> strict.open(PLACE, plain))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("not encrypted, and postbox.encryption=required");
    assertThat(strict.open(PLACE, strict.seal(PLACE, CONTENTS.get(0)))).isEqualTo(CONTENTS.get(0));

    KeptContents withoutCipher =
        new KeptContents(Optional::empty, true, times -> {}, Runnable::run);
    assertThatThrownBy(() -> withoutCipher.seal(PLACE, CONTENTS.get(0)))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("cannot be kept aside");
  }

  @Test
  void clearReadsBesideACipherAreReportedOnceAMinute() {
    List<Long> told = new ArrayList<>();
    AtomicLong now = new AtomicLong();
    KeptContents contents =
        new KeptContents(
            new Ciphers(() -> Optional.of(new Turning("key-1")), false, now::get, told::add),
            new ApplicationCalls(Runnable::run, 1),
            SealedTexts.LIMIT);
    Columns plain = KeptContents.CLEAR.seal(PLACE, CONTENTS.get(0));
    for (int i = 0; i < 3; i++) {
      assertThat(contents.open(PLACE, plain)).isEqualTo(CONTENTS.get(0));
    }
    assertThat(told).containsExactly(1L);
    now.addAndGet(Throttle.PAUSE.toNanos());
    contents.texts().openOrTell(PLACE, SealedTexts.ERROR, "in the clear", null);
    contents.texts().openOrTell(PLACE, SealedTexts.ERROR, "", null);
    assertThat(told).containsExactly(1L, 3L);
  }

  private static Place place(String consumer, @Nullable String id, String print) {
    return Place.stored(consumer, id, new Fingerprint(2, print.repeat(32)));
  }

  private static KeptContents with(PayloadCipher cipher) {
    return new KeptContents(() -> Optional.of(cipher));
  }

  private static ByteBuffer bytes(int... bytes) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
    for (int each : bytes) {
      buffer.put((byte) each);
    }
    return buffer.flip();
  }

  /** Turns each bit, and writes the associated data before. */
  record Turning(String keyId) implements PayloadCipher {
    @Override
    public Encrypted encrypt(byte[] plain, AssociatedData associated) {
      byte[] id = associated.bytes();
      ByteBuffer value =
          ByteBuffer.allocate(2 + id.length + plain.length).putShort((short) id.length).put(id);
      return new Encrypted(value.put(turned(plain)).array(), keyId);
    }

    @Override
    public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
      if (!encrypted.keyId().equals(keyId)) {
        throw new IllegalStateException("no such key: " + encrypted.keyId());
      }
      ByteBuffer value = ByteBuffer.wrap(encrypted.value());
      byte[] id = new byte[value.getShort()];
      value.get(id);
      if (!new String(id, StandardCharsets.UTF_8).equals(associated.text())) {
        throw new IllegalStateException("moved");
      }
      byte[] body = new byte[value.remaining()];
      value.get(body);
      return turned(body);
    }

    private static byte[] turned(byte @Nullable [] bytes) {
      byte[] turned = new byte[bytes.length];
      for (int i = 0; i < bytes.length; i++) {
        turned[i] = (byte) ~bytes[i];
      }
      return turned;
    }
  }
}
