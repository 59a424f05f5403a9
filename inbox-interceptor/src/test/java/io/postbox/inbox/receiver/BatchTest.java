package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.BatchOrder;
import io.postbox.inbox.InboxBatchOutcome;
import io.postbox.inbox.InboxBatchOutcome.Done;
import io.postbox.inbox.InboxBatchOutcome.Failed;
import io.postbox.inbox.InboxBatchOutcome.Item;
import io.postbox.inbox.InboxBatchOutcome.NotHandled;
import io.postbox.inbox.InboxBatchOutcome.Reason;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxOutcome.Status;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.TestConfig;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class BatchTest {
  private final List<String> handled = new ArrayList<>();
  private boolean mustStop;

  @Test
  void aFailureLeavesOnlyTheMessagesOfItsKeyBehind() {
    InboxBatchOutcome<String> outcome =
        handle(
            BatchOrder.BY_KEY,
            Set.of("b1"),
            keyed("a1", "a"),
            keyed("b1", "b"),
            keyed("a2", "a"),
            keyed("b2", "b"),
            keyed("n1", null),
            keyed("b3", "b"));

    assertThat(handled).containsExactly("a1", "b1", "a2", "n1");
    assertThat(states(outcome))
        .containsExactly("done", "failed", "done", "behind", "done", "behind");
  }

  @Test
  void theKeyOfAMessageWithoutOneIsItsAggregate() {
    handle(
        BatchOrder.BY_KEY,
        Set.of("1"),
        request("1").aggregate("Order", "7", 1),
        request("2").aggregate("Order", "7", 2),
        request("3").aggregate("Order", "8", 1),
        request("4").aggregate("Stock", "7", 1),
        request("5").aggregate("Order", "7", 3).orderedBy("other"));

    assertThat(handled).containsExactly("1", "3", "4", "5");
  }

  @Test
  void keysOfOtherTopicsAndConsumersAreOthers() {
    handle(
        BatchOrder.BY_KEY,
        Set.of("1"),
        request("1").orderedBy("k").from("t", 0, 1),
        request("2").orderedBy("k").from("u", 0, 1),
        InboxRequest.of("billing", "3").orderedBy("k").from("t", 0, 1),
        request("4").orderedBy("k").from("t", 1, 1));

    assertThat(handled).containsExactly("1", "2", "3");
  }

  @Test
  void aFailureLeavesTheRestOfItsPartitionBehind() {
    InboxBatchOutcome<String> outcome =
        handle(
            BatchOrder.BY_PARTITION,
            Set.of("1"),
            request("1").from("t", 0, 1),
            request("2").from("t", 1, 1),
            request("3").from("t", 0, 2).orderedBy("other"),
            request("4").from("u", 0, 1),
            InboxRequest.of("billing", "5").from("t", 0, 1));

    assertThat(handled).containsExactly("1", "2", "4");
    assertThat(states(outcome)).containsExactly("failed", "done", "behind", "done", "behind");
  }

  @Test
  void withoutPartitionsItStopsAtTheFirstFailureOfEachQueue() {
    handle(
        BatchOrder.BY_PARTITION,
        Set.of("1", "3"),
        request("1"),
        request("2"),
        request("3").from("Q"),
        request("4").from("Q"),
        request("5").from("R"));

    assertThat(handled).containsExactly("1", "3", "5");
  }

  @Test
  void nothingIsHandledAfterAFailureThatStopsAll() {
    mustStop = true;
    InboxBatchOutcome<String> outcome =
        handle(
            BatchOrder.BY_KEY,
            Set.of("2"),
            keyed("1", "a"),
            keyed("2", "b"),
            keyed("3", "c"),
            keyed("4", "b"));

    assertThat(handled).as("without a failure nobody asks").containsExactly("1", "2");
    assertThat(states(outcome)).containsExactly("done", "failed", "stopped", "behind");
  }

  @Test
  void aBatchMayBeEmpty() {
    assertThat(handle(BatchOrder.BY_KEY, Set.of()).items()).isEmpty();
  }

  @Test
  void theDelayIsTheLongestThatTheInboxMayAskFor() {
    ConsumerConfig config = config();
    assertThat(Batch.delay(config, 1, new IllegalStateException())).isEqualTo(seconds(10));
    assertThat(Batch.delay(config, 2, new IllegalStateException())).isEqualTo(seconds(20));
    assertThat(Batch.delay(config, 0, new SQLTransactionRollbackException()))
        .as("its handler did not run")
        .isEqualTo(seconds(10));
    assertThat(Batch.delay(config, 3, new IllegalStateException("x")))
        .as("it will be parked")
        .isZero();
    assertThat(Batch.delay(config, 3, new SQLTransactionRollbackException()))
        .as("a conflict is not counted")
        .isEqualTo(seconds(40));
    assertThat(Batch.delay(config, 1, new RejectedMessageException("no"))).isZero();
    assertThat(
            Batch.delay(
                config, 1, new IllegalStateException(new RetryLaterException(seconds(7), "early"))))
        .isEqualTo(seconds(7));
  }

  private static ConsumerConfig config() {
    return TestConfig.shop(
            Map.of("max-attempts", "3", "backoff.first", "10s", "backoff.max", "40s"))
        .of("payments");
  }

  @Test
  void aBatchIsStoredTogether() {
    InboxBatchOutcome<String> outcome =
        store(() -> List.of(done("1"), done("2")), Set.of(), request("1"), request("2"));

    assertThat(states(outcome)).containsExactly("done", "done");
    assertThat(outcome.items())
        .extracting(item -> item.request().id())
        .map(Optional::get)
        .containsExactly("1", "2");
    assertThat(handled).as("stored alone").isEmpty();
  }

  @Test
  void ifThatFailsEachIsStoredAloneAndAFailureLeavesItsKeyBehind() {
    InboxBatchOutcome<String> outcome =
        store(
            () -> {
              throw new IllegalStateException("one of them");
            },
            Set.of("a1"),
            keyed("a1", "a"),
            keyed("b1", "b"),
            keyed("a2", "a"));

    assertThat(handled).containsExactly("a1", "b1");
    assertThat(states(outcome)).containsExactly("failed", "done", "behind");
  }

  @Test
  void ofASingleMessageTheFailureIsNotRepeated() {
    store(
        () -> {
          throw new AssertionError("stored together");
        },
        Set.of(),
        request("1"));

    assertThat(handled).containsExactly("1");
    assertThat(store(List::of, Set.of()).items()).isEmpty();
  }

  @Test
  void whereAllMustStopNothingIsTriedAlone() {
    mustStop = true;
    IllegalStateException failure = new IllegalStateException("the database is down");

    InboxBatchOutcome<String> outcome =
        store(
            () -> {
              throw failure;
            },
            Set.of(),
            request("1"),
            request("2"));

    assertThat(handled).isEmpty();
    assertThat(states(outcome)).containsExactly("failed", "stopped");
    assertThat(outcome.failed().get(0).failure()).isSameAs(failure);
  }

  private InboxBatchOutcome<String> store(
      Callable<List<InboxOutcome<String>>> together,
      Set<String> failing,
      InboxRequest... requests) {
    return Batch.store(
        List.of(requests),
        together,
        request -> one(request, failing),
        (request, failure) -> new Failed<>(request, failure, Duration.ZERO),
        () -> mustStop);
  }

  private static InboxOutcome<String> done(String id) {
    return new InboxOutcome<>(Status.PROCESSED, Optional.of(id), Optional.empty());
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  private InboxBatchOutcome<String> handle(
      BatchOrder order, Set<String> failing, InboxRequest... requests) {
    return Batch.handle(List.of(requests), order, request -> one(request, failing), () -> mustStop);
  }

  private Item<String> one(InboxRequest request, Set<String> failing) {
    String id = request.id().orElseThrow();
    handled.add(id);
    return failing.contains(id)
        ? new Failed<>(request, new IllegalStateException(id), Duration.ZERO)
        : new Done<>(request, done(id));
  }

  private static List<String> states(InboxBatchOutcome<String> outcome) {
    return outcome.items().stream().map(BatchTest::state).toList();
  }

  private static String state(Item<String> item) {
    if (item instanceof NotHandled<String> not) {
      return not.reason() == Reason.STOPPED ? "stopped" : "behind";
    }
    return item instanceof Failed ? "failed" : "done";
  }

  private static InboxRequest keyed(String id, String key) {
    return request(id).orderedBy(key);
  }

  private static InboxRequest request(String id) {
    return InboxRequest.of("payments", id);
  }
}
