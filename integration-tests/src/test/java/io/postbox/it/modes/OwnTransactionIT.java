package io.postbox.it.modes;

import static io.postbox.it.tools.Eventually.eventually;
import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.modes.Failing.Failure;
import io.postbox.it.modes.ModesServer.Pair;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that fail in each way in a transaction that the inbox began itself. */
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
  void aHandlerThatFailsKeepsNothingAndTheMessageComesAgain(Pair pair) {
    for (Failure how : Failure.values()) {
      if (how != Failure.AT_COMMIT || pair.onPostgres()) {
        failsTwiceThenHasItsEffectOnce(pair, "own", how);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void lazyAcknowledgementChangesNothing(Pair pair) {
    for (Failure how : Failure.values()) {
      if (how != Failure.AT_COMMIT || pair.onPostgres()) {
        failsTwiceThenHasItsEffectOnce(pair, "dups-ok", how);
      }
    }
  }

  private static void failsTwiceThenHasItsEffectOnce(Pair pair, String queue, Failure how) {
    String tag = how + " " + UUID.randomUUID();
    String id = UUID.randomUUID().toString();
    int failures = how == Failure.NONE ? 0 : 2;
    it.send(
        pair,
        queue,
        Map.of(
            "Tag", "String " + tag,
            "OutboxMessageId", "String " + id,
            "How", "String " + how,
            "Failures", "Integer " + failures,
            "body", "text x"));

    patience(Duration.ofSeconds(40))
        .untilAsserted(
            () -> assertThat(it.notes(pair, tag)).as(pair + " " + how).hasSize(failures + 1));
    assertThat(it.notes(pair, tag))
        .extracting(note -> note.get("inTransaction"))
        .containsOnly("true");
    eventually(() -> assertThat(it.effects(pair, tag)).as(pair + " " + how).isEqualTo(1));
    eventually(() -> assertThat(it.depth(pair, queue)).isZero());
    assertThat(it.rows(pair, id)).isEqualTo(1);
    assertThat(it.notes(pair, tag)).hasSize(failures + 1);
  }
}
