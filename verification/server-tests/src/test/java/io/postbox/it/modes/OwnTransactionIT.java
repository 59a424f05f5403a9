package io.postbox.it.modes;

import static io.postbox.it.tools.Eventually.eventually;
import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.OwnServers;
import io.postbox.it.modes.Failing.Failure;
import io.postbox.it.modes.ModesServer.Pair;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that fail in each way in a transaction that the inbox began itself. */
@OwnServers
@Tag("full")
class OwnTransactionIT {
  private static ModesServer it;

  @BeforeAll
  static void start() {
    it = new ModesServer("own", Path.of(System.getProperty("postbox.work")));
    it.start();
  }

  @AfterAll
  static void stop() {
    it.close();
  }

  @ParameterizedTest
  @EnumSource
  void aHandlerThatFailsKeepsNothingAndTheMessageIsRedelivered(Pair pair) {
    eachFailsTwiceThenHasItsEffectOnce(pair, "own");
  }

  @ParameterizedTest
  @EnumSource
  void lazyAcknowledgementChangesNothing(Pair pair) {
    eachFailsTwiceThenHasItsEffectOnce(pair, "dups-ok");
  }

  /** The findings of settings that are wrong here, or different on purpose, and nothing else. */
  @ParameterizedTest
  @EnumSource
  void theGuaranteeCheckFindsWhatTheServerIsReallySetTo(Pair pair) {
    List<String> findings = it.log("IBX0030", "Guarantee check of " + pair.application() + ", ");

    assertThat(findings)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("transaction-timeout: The server ends a transaction after 6s"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains(
                        "retry-destination: postbox.inbox.consumer.lost.retry-destination=jms/nowhere, postbox.inbox.consumer.own-lost.retry-destination=jms/nowhere: there is nothing of that name"));
    if (pair.onPostgres()) {
      assertThat(findings)
          .hasSize(3)
          .anySatisfy(line -> assertThat(line).contains("transaction-recovery"));
    } else {
      assertThat(findings).hasSize(2);
    }
  }

  @Test
  void anAdapterThatAcknowledgesEarlyIsRefused() {
    it.deployRefused();

    eventually(() -> assertThat(it.log("CWWKZ0002E", "refused")).isNotEmpty());
    assertThat(it.log("CWWKZ0002E", "refused"))
        .singleElement()
        .asString()
        .contains("preAcknowledge=\"true\"", "postbox.inbox.connection-factory=jms/hasty");
  }

  /** Which is why it is refused; here the inbox's own connection factory is of another adapter. */
  @ParameterizedTest
  @EnumSource(names = {"ARTEMIS_H2", "ARTEMIS_POSTGRESQL"})
  void anAdapterThatAcknowledgesEarlyLosesWhatFails(Pair pair) {
    for (String queue : List.of("early", "own-early")) {
      String tag = queue + " " + UUID.randomUUID();
      String id = UUID.randomUUID().toString();
      send(pair, queue, tag, id, Failure.RUNTIME_EXCEPTION, 1);
      eventually(() -> assertThat(it.returns(pair, id)).isPositive());
      String after = UUID.randomUUID().toString();
      send(pair, queue, "after " + after, after, Failure.NONE, 0);
      eventually(() -> assertThat(it.rows(pair, after)).isOne());

      assertThat(it.notes(pair, tag)).hasSize(1);
      assertThat(it.depth(pair, queue)).isZero();
      assertThat(it.rows(pair, id)).isZero();
      assertThat(it.effects(pair, tag)).isZero();
    }
  }

  /** Which is why the queues of guarded beans need failedDeliveryPolicy="KEEP_TRYING". */
  @ParameterizedTest
  @EnumSource(names = {"EMBEDDED_H2", "EMBEDDED_POSTGRESQL"})
  void byDefaultTheEmbeddedEngineAbandonsAMessageAfterFiveDeliveries(Pair pair) {
    String tag = "tired " + UUID.randomUUID();
    send(pair, "tired", tag, "tired", Failure.RUNTIME_EXCEPTION, 1_000);

    eventually(() -> assertThat(it.depth(pair, "elsewhere")).isOne());
    assertThat(it.notes(pair, tag)).hasSize(5);
    assertThat(it.depth(pair, "tired")).isZero();
  }

  private static void send(
      Pair pair, String queue, String tag, String id, Failure how, int failures) {
    it.send(
        pair,
        queue,
        Map.of(
            "Tag", "String " + tag,
            "OutboxMessageId", "String " + id,
            "How", "String " + how,
            "Failures", "Integer " + failures,
            "body", "text x"));
  }

  /** A message for each way to fail, all at once. */
  private static void eachFailsTwiceThenHasItsEffectOnce(Pair pair, String queue) {
    Map<Failure, String> ids = new EnumMap<>(Failure.class);
    for (Failure how : Failure.values()) {
      if (how != Failure.AT_COMMIT || pair.onPostgres()) {
        String id = UUID.randomUUID().toString();
        send(pair, queue, id, id, how, failures(how));
        ids.put(how, id);
      }
    }

    ids.forEach((how, id) -> failsTwiceThenHasItsEffectOnce(pair, how, id));
    eventually(() -> assertThat(it.depth(pair, queue)).isZero());
    ids.forEach((how, id) -> assertThat(it.notes(pair, id)).hasSize(failures(how) + 1));
  }

  private static void failsTwiceThenHasItsEffectOnce(Pair pair, Failure how, String id) {
    patience(Duration.ofSeconds(40))
        .untilAsserted(
            () -> assertThat(it.notes(pair, id)).as(pair + " " + how).hasSize(failures(how) + 1));
    assertThat(it.notes(pair, id))
        .extracting(note -> note.get("inTransaction"))
        .containsOnly("true");
    eventually(() -> assertThat(it.effects(pair, id)).as(pair + " " + how).isEqualTo(1));
    eventually(() -> assertThat(it.rows(pair, id)).as(pair + " " + how).isEqualTo(1));
  }

  private static int failures(Failure how) {
    return how == Failure.NONE ? 0 : 2;
  }
}
