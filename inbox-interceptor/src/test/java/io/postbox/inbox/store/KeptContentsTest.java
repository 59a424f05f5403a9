package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.PayloadCipher;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.store.KeptContents.Columns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeptContentsTest {
  private static final String PROPERTIES = "{\"headers\":{},\"properties\":{}}";
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
  void whatIsSealedIsTheSameWhenItIsOpened() {
    for (KeptContents contents : List.of(KeptContents.CLEAR, with(new Turning("key-1")))) {
      for (Content content : CONTENTS) {
        for (String id : new String[] {"id-1", null}) {
          assertThat(contents.open(id, contents.seal(id, content))).isEqualTo(content);
        }
      }
    }
  }

  @Test
  void aBodyIsEncryptedAndTheRestIsNot() {
    Columns sealed = with(new Turning("key-1")).seal("id-1", CONTENTS.get(0));
    assertThat(sealed.encrypted()).isTrue();
    assertThat(sealed.text()).isNull();
    assertThat(new String(sealed.bytes(), StandardCharsets.UTF_8))
        .contains("key-1")
        .doesNotContain("geheim");
    assertThat(sealed.properties()).isEqualTo(PROPERTIES);
    assertThat(with(new Turning("key-1")).seal("id-1", CONTENTS.get(8)).encrypted()).isFalse();
  }

  @Test
  void aRowOfAnotherMessageOrKeyIsNotOpened() {
    Columns sealed = with(new Turning("key-1")).seal("id-1", CONTENTS.get(0));
    assertThatThrownBy(() -> with(new Turning("key-1")).open("id-2", sealed))
        .isInstanceOf(InboxException.class)
        .hasMessage("Its body cannot be decrypted: moved. It stays where it is.");
    assertThatThrownBy(() -> with(new Turning("key-2")).open("id-1", sealed))
        .hasMessageContaining("no such key: key-1");
    assertThatThrownBy(() -> KeptContents.CLEAR.open("id-1", sealed))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("no PayloadCipher");
  }

  @Test
  void whatCannotBeEncryptedIsNotKept() {
    for (String unusable : List.of("", "k".repeat(101))) {
      assertThatThrownBy(() -> with(new Turning(unusable)).seal("id-1", CONTENTS.get(0)))
          .isInstanceOf(InboxException.class)
          .hasMessageStartingWith("Message id-1 should be kept aside")
          .hasMessageContaining("comes again")
          .hasMessageNotContaining("geheim");
    }
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

  /** Turns each bit, and writes the message id before. */
  record Turning(String keyId) implements PayloadCipher {
    @Override
    public Encrypted encrypt(byte[] plain, String messageId) {
      byte[] id = messageId.getBytes(StandardCharsets.UTF_8);
      ByteBuffer value =
          ByteBuffer.allocate(1 + id.length + plain.length).put((byte) id.length).put(id);
      return new Encrypted(value.put(turned(plain)).array(), keyId);
    }

    @Override
    public byte[] decrypt(Encrypted encrypted, String messageId) {
      if (!encrypted.keyId().equals(keyId)) {
        throw new IllegalStateException("no such key: " + encrypted.keyId());
      }
      ByteBuffer value = ByteBuffer.wrap(encrypted.value());
      byte[] id = new byte[value.get()];
      value.get(id);
      if (!new String(id, StandardCharsets.UTF_8).equals(messageId)) {
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
