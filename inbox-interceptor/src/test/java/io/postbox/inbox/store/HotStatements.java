package io.postbox.inbox.store;

import static io.postbox.inbox.store.StatementCosts.undone;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.log.RecordedError;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.message.Captured;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.Schedule;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.RetentionStore.Kept;
import io.postbox.inbox.store.StatementCosts.Round;
import io.postbox.inbox.store.StatementCosts.Statement;
import io.postbox.inbox.store.StatementCosts.Use;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The statements of the inbox for a delivery, for one that failed before, and for retention: for
 * one of ten consumers that have rows of which some are old, neither the first nor the last.
 */
final class HotStatements implements Round {
  private static final int BATCH = 10;

  private static final String MESSAGE = "inbox_message";
  private static final String FAILURE = "inbox_failure";

  /**
   * A row with it is too large for what the rows before it have left of their pages. Otherwise it
   * would have room on many pages, once on each, and each insert would ask for another of them.
   */
  private static final String LONG_REASON = "because ".repeat(100);

  private static final String ATTEMPT = "inbox_attempt";
  private static final String RESULT = "inbox_result";
  private static final String STORED = "inbox_stored";

  private final InboxStore messages;
  private final FailureStore failures;
  private final AttemptStore attempts;
  private final ResultStore results;
  private final RetentionStore retention;
  private final CapturedStore captured;
  private final KeptStore stored;
  private final String consumer;
  private final String next;
  private final String known;
  private final Instant over;
  private final Map<Use, Statement> statements = new LinkedHashMap<>();
  private int rounds;
  private long row;

  /**
   * @param number the consumer's
   * @param known a message that it has handled, after a failure
   * @param over rows older than this are old
   */
  HotStatements(TableNames tables, int number, String known, Instant over) {
    messages = new InboxStore(Dialect.POSTGRESQL, tables);
    failures = new FailureStore(Dialect.POSTGRESQL, tables, KeptContents.CLEAR.texts());
    attempts = new AttemptStore(Dialect.POSTGRESQL, tables);
    results = new ResultStore(Dialect.POSTGRESQL, tables, KeptContents.CLEAR.texts());
    retention = new RetentionStore(Dialect.POSTGRESQL, tables);
    captured = new CapturedStore(Dialect.POSTGRESQL, tables, KeptContents.CLEAR);
    stored = new KeptStore(Dialect.POSTGRESQL, tables, KeptContents.CLEAR);
    consumer = "consumer-" + number;
    next = "consumer-" + (number + 1);
    this.known = known;
    this.over = over;
  }

  @Override
  public Map<Use, Statement> statements() {
    statements.clear();
    deliver("fresh-" + ++rounds);
    fail("failing-" + rounds);
    capture("captured-" + rounds);
    retry("retried-" + rounds);
    for (Kept kept : Kept.values()) {
      forget(kept);
    }
    return statements;
  }

  private void add(String purpose, String table, Statement statement) {
    statements.put(new Use(purpose, table), statement);
  }

  private void deliver(String id) {
    Delivery delivery = TestDelivery.of(id).to(consumer).delivery();
    for (boolean isNew : List.of(true, false)) {
      add(
          isNew ? "a message is new" : "a message is not new",
          MESSAGE,
          on ->
              assertThat(messages.insertIfAbsent(on, delivery, id, Outcome.PROCESSED))
                  .isEqualTo(isNew));
    }
    add(
        "its fingerprint",
        MESSAGE,
        on -> assertThat(messages.fingerprintOf(on, consumer, known)).isPresent());
    add(
        "a request is answered",
        MESSAGE,
        undone(on -> assertThat(messages.describe(on, consumer, known, "{}")).isTrue()));
    for (boolean isNew : List.of(true, false)) {
      add(
          isNew ? "a result is new" : "a result is not new",
          RESULT,
          on -> assertThat(results.put(on, consumer, id, "", "answer", null)).isEqualTo(isNew));
    }
    add("its result", RESULT, on -> assertThat(results.get(on, consumer, id, "")).isPresent());
  }

  private void fail(String id) {
    Failure failure =
        new Failure(
            consumer,
            id,
            1,
            Failure.Kind.FAILED,
            null,
            new RecordedError(LONG_REASON, "", "", "5ef0"),
            0,
            false);
    add("a message fails", FAILURE, on -> failures.insert(on, "a node", failure));
    add(
        "its failures",
        FAILURE,
        on -> assertThat(failures.of(on, consumer, known).total()).isEqualTo(1));
    add(
        "a redelivery begins",
        ATTEMPT,
        on -> assertThat(attempts.insert(on, consumer, id, "a process", false)).isPositive());
    add(
        "its attempts that have not ended",
        ATTEMPT,
        on -> assertThat(attempts.left(on, consumer, known)).hasSize(1));
  }

  private void capture(String id) {
    Delivery delivery = TestDelivery.of(id).to(consumer).delivery();
    add(
        "an id is captured",
        MESSAGE,
        on -> assertThat(messages.insertIfAbsent(on, delivery, id, Outcome.CAPTURED)).isTrue());
    add(
        "a message is captured",
        STORED,
        on -> assertThat(captured.capture(on, delivery, id, true)).isEmpty());
    add(
        "what is due",
        STORED,
        on -> assertThat(captured.due(on, consumer, true, null, 16)).isEmpty());
    add(
        "what is due from a time on",
        STORED,
        on -> assertThat(captured.due(on, consumer, true, over, 16)).isEmpty());
    add(
        "what is pending",
        STORED,
        on -> {
          List<Long> rows = captured.pending(on, consumer, 2);
          assertThat(rows).hasSize(2);
          row = rows.get(0);
        });
    add(
        "what is pending from an id on",
        STORED,
        on ->
            assertThat(
                    captured.pending(
                        on, consumer, Schedule.HIGHEST_PRIORITY - Schedule.NORMAL_PRIORITY, row, 2))
                .hasSize(2));
    add(
        "a claim",
        STORED,
        on -> assertThat(captured.claim(on, row, Duration.ofMinutes(1))).isTrue());
    add("the claimed message", STORED, on -> assertThat(captured.read(on, row)).isNotNull());
    add(
        "whether it is completed",
        MESSAGE,
        on -> assertThat(captured.completedFingerprint(on, consumer, id)).isEmpty());
    add(
        "it is completed",
        MESSAGE,
        undone(
            on ->
                assertThat(captured.complete(on, consumer, id, Outcome.PROCESSED.name()))
                    .isTrue()));
    add("its row is deleted", STORED, undone(on -> captured.finish(on, claimed(delivery), false)));
    add("its row is kept", STORED, undone(on -> captured.finish(on, claimed(delivery), true)));
    DelayedRetry retry = new DelayedRetry(id, Duration.ofMinutes(1), 1, 0);
    add(
        "it is delayed",
        STORED,
        undone(
            on -> {
              Delivery copy =
                  TestDelivery.of(id).to(consumer).with(new StoredRow(row, 0)).delivery();
              assertThat(stored.delay(on, copy, retry, false)).isEmpty();
            }));
  }

  private void retry(String id) {
    Delivery delivery = TestDelivery.of(id).to(consumer).delivery();
    DelayedRetry retry = new DelayedRetry(id, Duration.ofMinutes(1), 1, 0);
    add(
        "a message is stored until its retry",
        STORED,
        on -> assertThat(stored.delay(on, delivery, retry, true)).isEmpty());
  }

  private Captured claimed(Delivery delivery) {
    return new Captured(row, "any", delivery, delivery.content(), false, 1, false);
  }

  private void forget(Kept kept) {
    String table = "inbox_" + kept.name().toLowerCase(Locale.ROOT);
    add(
        "the next consumer, " + kept,
        table,
        on -> assertThat(retention.nextConsumer(on, kept, consumer)).contains(next));
    add(
        "no further consumer, " + kept,
        table,
        on -> assertThat(retention.nextConsumer(on, kept, "consumer-9")).isEmpty());
    add(
        "what is over, " + kept,
        table,
        undone(
            on ->
                assertThat(retention.delete(on, kept, consumer, Instant.EPOCH, over, BATCH).rows())
                    .isEqualTo(BATCH)));
    add(
        "nothing is over, " + kept,
        table,
        on ->
            assertThat(
                    retention
                        .delete(on, kept, "consumer-0", Instant.EPOCH, Instant.EPOCH, BATCH)
                        .rows())
                .isZero());
  }
}
