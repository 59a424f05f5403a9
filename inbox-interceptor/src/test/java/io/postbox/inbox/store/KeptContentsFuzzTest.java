package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.testing.Draws;
import io.postbox.common.text.Storable;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.store.KeptContents.Columns;
import io.postbox.inbox.store.KeptContentsTest.Turning;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeptContentsFuzzTest {
  private static final int LONGEST_ID = 20;

  @FuzzTest
  void aRowIsOpenedOrRefused(byte[] input) {
    Draws draws = new Draws(input);
    if (draws.flag()) {
      aSealedContentOpensUnchangedOrIsNotSealed(draws);
    } else {
      aChangedRowIsOpenedOrRefused(draws);
    }
  }

  @Test
  void alsoTheSameRowsEachTime() {
    Draws.check(4_000, this::aRowIsOpenedOrRefused);
  }

  private static void aSealedContentOpensUnchangedOrIsNotSealed(Draws draws) {
    Content content = content(draws);
    String id = draws.flag() ? draws.text(LONGEST_ID).replaceAll("\\p{Cs}", "") : null;
    String key = draws.oneOf("key-1", draws.text(6), draws.about(100));
    KeptContents contents = new KeptContents(() -> Optional.of(new Turning(key)));
    Place place = place(id);

    Columns sealed;
    try {
      sealed = contents.seal(place, content);
    } catch (InboxException refused) {
      assertThat(key).matches(it -> it.isEmpty() || it.length() > 100 || !Storable.isText(it));
      assertThat(refused).hasMessageContaining("cannot be kept aside");
      return;
    }
    assertThat(contents.open(place, sealed)).isEqualTo(content);
    assertThat(KeptContents.CLEAR.open(place, KeptContents.CLEAR.seal(place, content)))
        .isEqualTo(content);
  }

  private static void aChangedRowIsOpenedOrRefused(Draws draws) {
    Columns row =
        new Columns(
            draws.oneOf(BodyType.values()),
            true,
            null,
            draws.flag() ? draws.octets(40) : packed(draws),
            draws.flag() ? sealed("{}").properties() : draws.text(40));
    try {
      Content opened = new KeptContents(() -> Optional.of(new Turning("k"))).open(place("id"), row);
      assertThat(opened.properties()).isEqualTo("{}");
    } catch (InboxException refused) {
      assertThat(refused).hasMessageStartingWith("The message cannot be decrypted (");
    }
  }

  private static Columns sealed(String properties) {
    return new KeptContents(() -> Optional.of(new Turning("k")))
        .seal(place("id"), new Content(BodyType.NONE, null, null, properties));
  }

  private static Place place(@Nullable String id) {
    return Place.stored("shipping", id, new Fingerprint(2, "aa".repeat(32)));
  }

  /** With a length of the key's id that may not be right. */
  private static byte[] packed(Draws draws) {
    byte[] rest = draws.octets(20);
    return ByteBuffer.allocate(Short.BYTES + 1 + rest.length)
        .putShort(draws.<Integer>oneOf(1, 0, -1, 0x7fff, 0x8000).shortValue())
        .put((byte) 'k')
        .put(rest)
        .array();
  }

  private static Content content(Draws draws) {
    BodyType type = draws.oneOf(BodyType.values());
    String text = null;
    ByteBuffer bytes = null;
    switch (type) {
      case TEXT -> text = draws.flag() ? storable(draws) : null;
      case MAP, STREAM -> text = storable(draws);
      case BYTES, TEXT_UTF16 -> bytes = ByteBuffer.wrap(draws.octets(30));
      case NONE -> {}
    }
    return new Content(type, text, bytes, "{}");
  }

  private static @Nullable String storable(Draws draws) {
    String text = draws.text(30);
    return Storable.isText(text) ? text : "";
  }
}
