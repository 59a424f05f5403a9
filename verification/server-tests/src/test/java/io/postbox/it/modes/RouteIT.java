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

/** Messages that are retried from their rows or by their broker, and replies. */
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

  @ParameterizedTest
  @EnumSource
  void aMessageThatCannotBeSentBackWaitsInItsRowAndDelaysNoOther(Pair pair) {
    for (String queue : List.of("lost", "own-lost")) {
      String id = tag();
      sendFailing(pair, queue, id, "text x", 1000);
      eventually(() -> assertThat(it.status(pair, id)).as(pair + queue).isEqualTo("HANDED_BACK"));
      eventually(() -> assertThat(it.log("IBX0220", "'" + queue + "'")).isNotEmpty());

      String another = tag();
      sendFailing(pair, queue, another, "text x", 0);
      eventually(() -> assertThat(it.effects(pair, another)).isOne());
      assertThat(it.notes(pair, id)).hasSize(1);
      assertThat(it.status(pair, id)).isEqualTo("HANDED_BACK");
      eventually(() -> assertThat(it.depth(pair, queue)).isZero());
    }
  }

  private static void sendFailing(Pair pair, String queue, String id, String body, int failures) {
    it.send(
        pair,
        queue,
        Map.of(
            "Tag", "String " + id,
            "OutboxMessageId", "String " + id,
            "How", "String RUNTIME_EXCEPTION",
            "Failures", "Integer " + failures,
            "body", body));
  }

  /**
   * Each wait is between one second and two. In each the broker brings the message at once after it
   * was not stored, and then a second later: five deliveries are rolled back for each failure of
   * the handler at most.
   */
  @ParameterizedTest
  @EnumSource
  void anObjectMessageWaitsAtItsBroker(Pair pair) {
    for (String queue : List.of("again", "own-again")) {
      String id = tag();
      sendFailing(pair, queue, id, "object x", 2);

      List<Seen> seen = awaitNotes(pair, id, 3);
      assertThat(seen).extracting(note -> note.get("id")).containsOnly(seen.get(0).get("id"));
      eventually(() -> assertThat(it.rows(pair, id)).isOne());
      eventually(() -> assertThat(it.depth(pair, queue)).isZero());
      assertThat(it.returns(pair, id))
          .as("deliveries of %s on %s that were rolled back", queue, pair)
          .isBetween(2, 10);
      assertThat(it.status(pair, id)).isEmpty();
    }
    assertThat(it.log("IBX0087")).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void everyKindOfBodyIsRetriedAsItWas(Pair pair) {
    for (String queue : List.of("again", "own-again")) {
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
        String id = tag();
        it.send(pair, queue, failing(id, 2, 1, body));

        List<Seen> seen = awaitNotes(pair, id, 3);
        assertThat(seen)
            .extracting(note -> note.get("body"))
            .as(pair + body)
            .containsOnly(seen.get(0).get("body"));
        if (body.startsWith("object")) {
          assertThat(seen.get(0).get("body")).isEqualTo("object unknown here, elsewhere grün");
        } else {
          assertThat(seen.get(2).get("property InboxStored")).as(pair + body).isNotEmpty();
        }
        eventually(() -> assertThat(it.effects(pair, id)).as(pair + body).isOne());
        eventually(() -> assertThat(it.status(pair, id)).as(pair + body).isEmpty());
      }
      eventually(() -> assertThat(it.depth(pair, queue)).isZero());
    }
  }

  private static Map<String, String> failing(String id, int failures, int delay, String body) {
    return new TreeMap<>(
        Map.of(
            "Tag", "String " + id,
            "OutboxMessageId", "String " + id,
            "Failures", "Integer " + failures,
            "Delay", "Integer " + delay,
            "body", body));
  }

  @ParameterizedTest
  @EnumSource
  void headersAndPropertiesAreRetriedWithTheirTypes(Pair pair) {
    String id = tag();
    Map<String, String> message = failing(id, 2, 1, "text -");
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
    message.put("correlation", "correlated");
    message.put("type", "OrderPlaced");
    message.put("replyTo", pair.queue("elsewhere"));
    message.put("priority", "7");
    message.put("ttl", "60000");
    it.send(pair, "again-60s", message);

    List<Seen> seen = awaitNotes(pair, id, 3);
    Seen first = seen.get(0);
    for (int copy = 1; copy <= 2; copy++) {
      Seen again = seen.get(copy);
      assertThat(again.get("property InboxAttempt")).isEqualTo("Integer " + copy);
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
  void aRetryStaysAwayForItsDelay(Pair pair) {
    String id = tag();
    it.send(pair, "again", failing(id, 1, 2000, "text x"));

    List<Seen> seen = awaitNotes(pair, id, 2);
    assertThat(arrival(seen.get(1)) - arrival(seen.get(0))).isBetween(1900L, 6000L);
  }

  @ParameterizedTest
  @EnumSource
  void aRetryComesBeforeTheMessageExpires(Pair pair) {
    String id = tag();
    Map<String, String> message = failing(id, 1, 60_000, "text x");
    message.put("ttl", "4000");
    it.send(pair, "again-4s", message);

    awaitNotes(pair, id, 2);
  }

  @ParameterizedTest
  @EnumSource
  void aRetriedRequestIsAnsweredAtItsTemporaryQueue(Pair pair) {
    for (String queue : List.of("again", "own-again")) {
      String id = tag();
      Map<String, String> request = failing(id, 2, 1, "text x");
      request.put("Answer", "String 42");

      assertThat(it.ask(pair, queue, request)).as(pair + queue).isEqualTo("42");
      assertThat(it.notes(pair, id)).hasSize(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRollbackSendsNoAnswerAndTheMessageIsUnchanged(Pair pair) {
    for (String body :
        List.of("text x", "bytes 1000", "map x", "stream x", "object x", "bytes 1000000")) {
      String tag = tag();
      it.send(
          pair,
          "route",
          Map.of(
              "Tag",
              "String " + tag,
              "Failures",
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

      List<Seen> seen = awaitNotes(pair, tag, 3);
      Seen first = seen.get(0);
      for (int delivery = 1; delivery < 3; delivery++) {
        assertThat(own(seen.get(delivery))).isEqualTo(own(first));
        assertThat(seen.get(delivery).get("id")).isEqualTo(first.get("id"));
        assertThat(seen.get(delivery).get("redelivered")).isEqualTo("true");
      }
      eventually(() -> assertThat(it.effects(pair, tag)).isOne());
      eventually(() -> assertThat(it.depth(pair, "route")).isZero());
      assertThat(it.notes(pair, tag)).hasSize(3);
      assertThat(it.receive(pair, "elsewhere").get("correlation")).isEqualTo(first.get("id"));
      assertThat(it.depth(pair, "elsewhere")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOwnTransactionIsCommittedBeforeTheAnswerIsSent(Pair pair) {
    for (String body : List.of("text x", "object x", "bytes 1000000")) {
      String tag = tag();
      it.send(
          pair,
          "own-route",
          Map.of(
              "Tag",
              "String " + tag,
              "Failures",
              "Integer 1",
              "SendFailures",
              "Integer 2",
              "Small",
              "Byte 1",
              "replyTo",
              pair.queue("elsewhere"),
              "Answer",
              "String answer",
              "Listed",
              "String " + pair.physical("elsewhere"),
              "body",
              body));

      List<Seen> seen = awaitNotes(pair, tag, 3);
      // rolled back; committed and not sent; committed and sent
      eventually(() -> assertThat(it.effects(pair, tag)).isEqualTo(2));
      for (int delivery = 1; delivery < 3; delivery++) {
        assertThat(seen.get(delivery).get("id")).isEqualTo(seen.get(0).get("id"));
        assertThat(own(seen.get(delivery))).isEqualTo(own(seen.get(0)));
      }
      eventually(() -> assertThat(it.depth(pair, "own-route")).isZero());
      assertThat(it.notes(pair, tag)).hasSize(3);
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
