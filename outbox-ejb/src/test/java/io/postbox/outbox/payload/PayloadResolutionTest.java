package io.postbox.outbox.payload;

import static io.postbox.outbox.testing.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadResolutionTest {
  private final Map<String, Content> there = new HashMap<>();
  private final List<Long> asked = new ArrayList<>();
  private boolean down;

  private record Content(String type, Body body) {}

  private Envelope load(StoredMessage message) throws PayloadFailure {
    asked.add(message.seq());
    if (down) {
      throw PayloadFailure.ofSource("down", null);
    }
    Content found = there.get(((Body.Reference) message.envelope().body()).id());
    if (found == null) {
      throw PayloadFailure.ofMessage("there is none", new Exception());
    }
    return message.carrying(found.type(), found.body()).envelope();
  }

  private void put(String id, String text) {
    there.put(id, new Content("text/plain", new Body.Text(text)));
  }

  private ResolvedBatch open(StoredMessage... messages) {
    asked.clear();
    return PayloadResolution.resolve(List.of(messages), this::load, () -> true);
  }

  private static StoredMessage reference(
      long seq, @Nullable String key, String id, byte @Nullable [] hash) {
    return message(seq, "d", key)
        .carrying("message/external-body", new Body.Reference("t", id, hash));
  }

  private static byte[] hashOf(ResolvedBatch opened, long seq) {
    return opened.firstHashes().get(seq);
  }

  private static List<Long> ready(ResolvedBatch opened) {
    return opened.ready().stream().map(StoredMessage::seq).toList();
  }

  @Test
  void openMessagesAreReady() {
    ResolvedBatch opened = open(message(1, "d", null), message(2, "d", "k"));
    assertThat(ready(opened)).containsExactly(1L, 2L);
    assertThat(opened.isClean()).isTrue();
    assertThat(asked).isEmpty();
  }

  @Test
  void aFirstLoadIsHashedAndNothingIsReady() {
    put("a", "x");
    ResolvedBatch opened = open(message(1, "d", null), reference(2, null, "a", null));
    assertThat(opened.ready()).isEmpty();
    assertThat(opened.isClean()).isFalse();
    assertThat(hashOf(opened, 2)).hasSize(32);
  }

  /** Else it would hold the key, and the message in front of it with it. */
  @Test
  void anUnresolvableMessageOnlyWaitsForTheOneBeforeIt() {
    ResolvedBatch opened =
        open(message(1, "d", "k"), reference(2, "k", "missing", null), message(3, "d", "k"));
    assertThat(opened.isClean()).isTrue();
    assertThat(ready(opened)).containsExactly(1L);

    assertThat(asked).as("once").containsExactly(2L);

    ResolvedBatch next = open(reference(2, "k", "missing", null), message(3, "d", "k"));
    assertThat(next.failed()).hasSize(1);
    assertThat(next.ready()).isEmpty();

    put("a", "y");
    ResolvedBatch altered = open(message(1, "d", "k"), reference(2, "k", "a", new byte[32]));
    assertThat(altered.isClean()).isTrue();
    assertThat(ready(altered)).containsExactly(1L);
  }

  @Test
  void aLoadLikeTheFirstIsReadyInItsOwnForm() {
    put("a", "x");
    byte[] hash = hashOf(open(reference(1, null, "a", null)), 1);
    ResolvedBatch opened = open(reference(1, null, "a", hash));

    assertThat(opened.isClean()).isTrue();
    assertThat(opened.ready().get(0).envelope().contentType()).isEqualTo("text/plain");
    assertThat(opened.ready().get(0).envelope().body()).isEqualTo(new Body.Text("x"));
  }

  @Test
  void anyDifferenceToTheFirstLoadShows() {
    put("a", "x");
    byte[] hash = hashOf(open(reference(1, null, "a", null)), 1);
    byte[] octets = "x".getBytes(StandardCharsets.UTF_8);
    for (Content other :
        List.of(
            new Content("text/plain", new Body.Text("x ")),
            new Content("text/plain", new Body.Text("")),
            new Content("text/html", new Body.Text("x")),
            new Content("text/plain", new Body.Bytes(octets)))) {
      there.put("a", other);
      ResolvedBatch opened = open(reference(1, null, "a", hash));
      assertThat(opened.ready()).isEmpty();
      assertThat(opened.altered().values())
          .singleElement()
          .asString()
          .contains("changed after the first load", "was not sent")
          .containsPattern("SHA-256 [0-9a-f]{64} then, [0-9a-f]{64} now");
    }
  }

  @Test
  void octetsDifferFromOthersAndFromTexts() {
    List<Content> resolver =
        List.of(
            new Content("b", new Body.Bytes(new byte[] {'x'})),
            new Content("b", new Body.Bytes(new byte[] {'y'})),
            new Content("b", new Body.Bytes(new byte[] {0, 'x'})),
            new Content("b", new Body.Text("x")),
            new Content("b", new Body.Text("\u0001x")));
    Set<String> hashes = new HashSet<>();
    for (Content content : resolver) {
      there.put("a", content);
      hashes.add(HexFormat.of().formatHex(hashOf(open(reference(1, null, "a", null)), 1)));
    }

    assertThat(hashes).hasSameSizeAs(resolver);
  }

  @Test
  void nothingGoesAfterAMessageWithItsKeyThatCannotBeOpened() {
    put("there", "x");
    byte[] hash = hashOf(open(reference(1, null, "there", null)), 1);
    ResolvedBatch opened =
        open(
            reference(1, "k", "missing", hash),
            message(2, "d", "k"),
            reference(3, "k", "missing", hash),
            message(4, "d", "other"),
            reference(5, null, "there", hash));
    assertThat(opened.failed().keySet()).extracting(StoredMessage::seq).containsExactly(1L);
    assertThat(ready(opened)).containsExactly(4L, 5L);
    assertThat(asked).containsExactly(1L, 5L);
  }

  @Test
  void nothingGoesAfterAnAlteredMessageWithItsKey() {
    put("a", "x");
    ResolvedBatch opened = open(reference(1, "k", "a", new byte[32]), message(2, "d", "k"));
    assertThat(opened.altered()).hasSize(1);
    assertThat(opened.ready()).isEmpty();
  }

  @Test
  void ifNothingCanBeLoadedNothingMoreIsTried() {
    down = true;
    ResolvedBatch opened = open(reference(1, null, "a", null), reference(2, null, "b", null));
    assertThat(opened.fault()).contains("down");
    assertThat(opened.failed()).isEmpty();
    assertThat(asked).containsExactly(1L);
  }

  @ParameterizedTest
  @CsvSource({"5, 4", "4, 5"})
  void aBatchHoldsNoMoreThanSixteenMebibytesBeforeItsLast(int mebibytes, int ready) {
    there.put("a", new Content("b", new Body.Bytes(new byte[mebibytes << 20])));
    byte[] hash = hashOf(open(reference(1, null, "a", null)), 1);
    StoredMessage[] six = new StoredMessage[6];
    for (int i = 0; i < six.length; i++) {
      six[i] = reference(i + 1, null, "a", hash);
    }
    ResolvedBatch opened = open(six);
    assertThat(ready(opened)).hasSize(ready).startsWith(1L, 2L, 3L, 4L);
    assertThat(opened.isClean()).as("the others are simply not tried").isTrue();
  }

  @Test
  void withoutTimeItIsOneMessage() {
    put("a", "x");
    byte[] hash = hashOf(open(reference(1, null, "a", null)), 1);
    ResolvedBatch opened =
        PayloadResolution.resolve(
            List.of(reference(1, null, "a", hash), reference(2, null, "a", hash)),
            this::load,
            () -> false);
    assertThat(ready(opened)).containsExactly(1L);
  }
}
