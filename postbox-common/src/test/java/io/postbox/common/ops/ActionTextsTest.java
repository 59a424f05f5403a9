package io.postbox.common.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ActionTextsTest {
  /** A total alone would look exact; that not all were counted is in the subject. */
  @Test
  void everyLineWithATotalSaysWhatWasCounted() {
    String subject = "messages waiting for 'd', at least 100000 of them, for not all were counted";
    OperatorAction action =
        new OperatorAction(
            UUID.randomUUID(),
            "discard-waiting",
            State.FAILED,
            "ada",
            "wrong",
            subject,
            100_000,
            300,
            0,
            "no such table",
            Instant.EPOCH,
            Instant.EPOCH);

    assertThat(ActionTexts.started(action)).contains(subject);
    assertThat(ActionTexts.changed(action, "paused", "bob", "lunch")).contains(subject);
    assertThat(ActionTexts.stopped(action)).contains(subject);
  }
}
