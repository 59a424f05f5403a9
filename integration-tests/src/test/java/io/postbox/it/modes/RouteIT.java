package io.postbox.it.modes;

import static io.postbox.it.tools.Eventually.eventually;
import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.OwnServers;
import io.postbox.it.modes.ModesServer.Pair;
import io.postbox.it.modes.ModesServer.Seen;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are sent again, and replies, in the transaction of the delivery. */
@OwnServers
@Tag("full")
class RouteIT {
  private static ModesServer it;

  @BeforeAll
  static void start() {
    it = new ModesServer("route", Path.of(System.getProperty("postbox.work")));
    it.start();
  }

  @AfterAll
  static void stop() {
    it.close();
  }

  /**
   * Each wait is between one second and two. In each the broker brings the message at once after it
   * could not be sent, and then a second later: five deliveries are rolled back for each try of the
   * handler at most.
   */
  @ParameterizedTest
  @EnumSource
  void anUnsendableMessageIsHeldUpAndParkedInTheEnd(Pair pair) {
    for (String queue : List.of("lost", "own-lost")) {
      String tag = tag();
      String id = UUID.randomUUID().toString();
      it.send(
          pair,
          queue,
          Map.of(
              "Tag", "String " + tag,
              "OutboxMessageId", "String " + id,
              "How", "String RUNTIME_EXCEPTION",
              "Failures", "Integer 1000",
              "body", "text x"));

      patience(Duration.ofSeconds(40))
          .untilAsserted(() -> assertThat(it.parked(pair, id)).as(pair + queue).isOne());

      assertThat(it.notes(pair, tag)).hasSize(ModesServer.ATTEMPTS);
      assertThat(it.returns(pair, id))
          .as("deliveries of %s on %s that were rolled back", queue, pair)
          .isBetween(ModesServer.ATTEMPTS, 5 * ModesServer.ATTEMPTS);
      eventually(() -> assertThat(it.depth(pair, queue)).isZero());
    }
    assertThat(it.log("IBX0087")).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfBodyIsRedeliveredAsItWas(Pair pair) {
    for (String body :
        List.of(
            "text grün",
            "nothing -",
            "long 1000000",
            "bytes 0",
            "bytes 1000",
            "bytes 10000000",
            "map grün",
            "stream grün",
            "object grün",
            "none -")) {
      String tag = tag();
      it.send(pair, "route", Map.of("Tag", "String " + tag, "Copies", "Integer 2", "body", body));

      List<Seen> seen = awaitNotes(pair, tag, 3);
      assertThat(seen)
          .extracting(note -> note.get("body"))
          .as(pair + body)
          .containsOnly(seen.get(0).get("body"));
      if (body.startsWith("object")) {
        assertThat(seen.get(0).get("body")).isEqualTo("object unknown here, elsewhere grün");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void headersAndPropertiesAreRedeliveredWithTheirTypes(Pair pair) {
    String tag = tag();
    Map<String, String> message = new TreeMap<>();
    message.put("Tag", "String " + tag);
    message.put("Copies", "Integer 2");
    message.put("Flag", "Boolean true");
    message.put("Small", "Byte -1");
    message.put("Short", "Short 300");
    message.put("Whole", "Integer 70000");
    message.put("Long", "Long 5000000000");
    message.put("Single", "Float 1.5");
    message.put("Real", "Double 2.25");
    message.put("Text", "String grün");
    message.put("Empty", "String ");
    message.put("JMSXGroupID", "String group");
    message.put("JMSXGroupSeq", "Integer 7");
    message.put("OutboxMessageId", "String 0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
    message.put("correlation", "correlated");
    message.put("type", "OrderPlaced");
    message.put("replyTo", pair.queue("elsewhere"));
    message.put("priority", "7");
    message.put("ttl", "60000");
    message.put("body", "text -");
    it.send(pair, "route-60s", message);

    List<Seen> seen = awaitNotes(pair, tag, 3);
    Seen first = seen.get(0);
    for (int copy = 1; copy <= 2; copy++) {
      Seen again = seen.get(copy);
      assertThat(again.get("property InboxAttempt")).isEqualTo("Integer " + copy);
      assertThat(again.get("property InboxWaits")).isEqualTo("Integer 2");
      assertThat(again.get("property InboxMessageId")).isEqualTo("String " + first.get("id"));
      assertThat(again.get("property InboxRequestId")).isEqualTo("String correlated");
      assertThat(again.get("mode")).isEqualTo("2");
      assertThat(again.get("priority")).isEqualTo("7");
      assertThat(again.get("id")).isNotEqualTo(first.get("id"));
      assertThat(Long.parseLong(again.get("expires")))
          .isBetween(
              Long.parseLong(first.get("expires")) - 1000,
              Long.parseLong(first.get("expires")) + 1000);
      assertThat(own(again)).isEqualTo(own(first));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCopyStaysAwayForItsDelay(Pair pair) {
    String tag = tag();
    it.send(
        pair,
        "route",
        Map.of(
            "Tag",
            "String " + tag,
            "Copies",
            "Integer 1",
            "Delay",
            "Integer 2000",
            "body",
            "text x"));

    List<Seen> seen = awaitNotes(pair, tag, 2);
    assertThat(arrival(seen.get(1)) - arrival(seen.get(0))).isBetween(1900L, 6000L);
  }

  @ParameterizedTest
  @EnumSource
  void aCopyComesBeforeItExpires(Pair pair) {
    String tag = tag();
    it.send(
        pair,
        "route-4s",
        Map.of(
            "Tag",
            "String " + tag,
            "Copies",
            "Integer 1",
            "Delay",
            "Integer 60000",
            "body",
            "text x",
            "ttl",
            "4000"));

    awaitNotes(pair, tag, 2);
  }

  @ParameterizedTest
  @EnumSource
  void aRollbackSendsNoCopyAndTheMessageIsUnchanged(Pair pair) {
    for (String body :
        List.of("text x", "bytes 1000", "map x", "stream x", "object x", "bytes 1000000")) {
      String tag = tag();
      it.send(
          pair,
          "route",
          Map.of(
              "Tag",
              "String " + tag,
              "Copies",
              "Integer 1",
              "RollBacks",
              "Integer 2",
              "body",
              body,
              "JMSXGroupID",
              "String group",
              "replyTo",
              pair.queue("elsewhere"),
              "Answer",
              "String answer",
              "Listed",
              "String " + pair.physical("elsewhere")));

      List<Seen> seen = awaitNotes(pair, tag, 4);
      Seen first = seen.get(0);
      for (int delivery = 1; delivery < 3; delivery++) {
        assertThat(seen.get(delivery).get("property InboxAttempt")).isEmpty();
        assertThat(own(seen.get(delivery))).isEqualTo(own(first));
        assertThat(seen.get(delivery).get("id")).isEqualTo(first.get("id"));
        assertThat(seen.get(delivery).get("redelivered")).isEqualTo("true");
      }
      assertThat(seen.get(3).get("property InboxAttempt")).isEqualTo("Integer 1");
      assertThat(seen.get(3).get("body")).isEqualTo(first.get("body"));
      assertThat(seen.get(3).get("redelivered")).isEqualTo("false");
      eventually(() -> assertThat(it.effects(pair, tag)).isEqualTo(2));
      eventually(() -> assertThat(it.depth(pair, "route")).isZero());
      assertThat(it.notes(pair, tag)).hasSize(4);
      assertThat(it.receive(pair, "elsewhere").get("correlation")).isEqualTo(first.get("id"));
      assertThat(it.depth(pair, "elsewhere")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOwnTransactionIsCommittedBeforeTheCopyIsSent(Pair pair) {
    for (String body : List.of("text x", "object x", "bytes 1000000")) {
      String tag = tag();
      it.send(
          pair,
          "own-route",
          Map.of(
              "Tag", "String " + tag,
              "Copies", "Integer 1",
              "RollBacks", "Integer 1",
              "SendFailures", "Integer 2",
              "Small", "Byte 1",
              "replyTo", pair.queue("elsewhere"),
              "Answer", "String answer",
              "Listed", "String " + pair.physical("elsewhere"),
              "body", body));

      List<Seen> seen = awaitNotes(pair, tag, 4);
      // rolled back; committed and not sent; committed and sent; the copy
      eventually(() -> assertThat(it.effects(pair, tag)).isEqualTo(3));
      for (int delivery = 1; delivery < 3; delivery++) {
        assertThat(seen.get(delivery).get("id")).isEqualTo(seen.get(0).get("id"));
        assertThat(own(seen.get(delivery))).isEqualTo(own(seen.get(0)));
      }
      assertThat(seen.get(3).get("property InboxAttempt")).isEqualTo("Integer 1");
      assertThat(own(seen.get(3))).isEqualTo(own(seen.get(0)));
      eventually(() -> assertThat(it.depth(pair, "own-route")).isZero());
      assertThat(it.notes(pair, tag)).hasSize(4);
      assertThat(it.receive(pair, "elsewhere").get("correlation")).isEqualTo(seen.get(0).get("id"));
      assertThat(it.depth(pair, "elsewhere")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerGoesToATemporaryQueueAndToNoOtherThatIsNotListed(Pair pair) {
    for (String queue : List.of("route", "own-route")) {
      String tag = tag();

      assertThat(
              it.ask(
                  pair,
                  queue,
                  Map.of("Tag", "String " + tag, "Answer", "String 42", "body", "text x")))
          .as(pair + queue)
          .isEqualTo("42");

      String another = tag();
      it.send(
          pair,
          queue,
          Map.of(
              "Tag",
              "String " + another,
              "Answer",
              "String 42",
              "replyTo",
              pair.queue("elsewhere"),
              "body",
              "text x"));
      eventually(() -> assertThat(it.effects(pair, another)).isOne());
      eventually(() -> assertThat(it.depth(pair, queue)).isZero());
      assertThat(it.depth(pair, "elsewhere")).as(pair + queue).isZero();
    }
  }

  private static List<Seen> awaitNotes(Pair pair, String tag, int number) {
    patience(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(it.notes(pair, tag)).as(pair.name()).hasSize(number));
    return it.notes(pair, tag);
  }

  private static long arrival(Seen seen) {
    return Long.parseLong(seen.get("arrived"));
  }

  /** The parts that belong to the message and not to one delivery of it. */
  private static Map<String, String> own(Seen seen) {
    Map<String, String> own = new TreeMap<>(seen.lines());
    own.keySet()
        .removeIf(
            name ->
                name.startsWith("property Inbox")
                    || (name.startsWith("property JMS") && !name.startsWith("property JMSXGroup"))
                    || List.of("id", "redelivered", "expires", "arrived").contains(name));
    return own;
  }

  private static String tag() {
    return UUID.randomUUID().toString();
  }
}
