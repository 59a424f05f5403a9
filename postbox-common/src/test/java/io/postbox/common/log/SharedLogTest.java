package io.postbox.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class SharedLogTest {
  private static final String NAME = SharedLogTest.class.getName();

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

    ExceptionDetail exceptions = new ExceptionDetail();
    SharedLog log = new SharedLog("outbox", new ModuleLog(NAME, exceptions), exceptions);
    List<String> lines = new ArrayList<>();
    Logger logger = Logger.getLogger(NAME);
    logger.setUseParentHandlers(false);
    logger.setFilter(line -> lines.add(line.getMessage()));

    log.actionStarted(action);
    log.actionChanged(action, "paused", "bob", "lunch");
    log.actionStopped(action);

    assertThat(lines).hasSize(3).allSatisfy(line -> assertThat(line).contains(subject));
  }
}
