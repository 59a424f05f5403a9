package io.postbox.it.batch;

import static io.postbox.it.tools.Eventually.eventually;
import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Page;
import io.postbox.inbox.BatchOrder;
import io.postbox.inbox.InboxBatchOutcome;
import io.postbox.inbox.InboxBatchOutcome.Done;
import io.postbox.inbox.InboxBatchOutcome.Failed;
import io.postbox.inbox.InboxBatchOutcome.Item;
import io.postbox.inbox.InboxBatchOutcome.NotHandled;
import io.postbox.inbox.InboxBatchOutcome.Reason;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxOutcome.Status;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.MessageLookup;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.inbox.Redriven.Refusal;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.RetryLaterException;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same on each database. */
abstract class BatchTests {
  private final TestApplication application = TestApplication.of(getClass());

  @Inject InboxGuard guard;
  @Inject Ledger ledger;
  @Inject Office office;
  @Inject ParkedMessages parked;
  @Inject QuarantinedMessages quarantined;
  @Inject MessageLookup lookup;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.inbox.max-attempts",
            "2",
            "postbox.inbox.backoff.first",
            "1ms",
            "postbox.inbox.backoff.max",
            "1ms"));
  }

  @Test
  void aFailureUndoesNoOtherMessageOfItsBatch() {
    String consumer = newConsumer();
    List<InboxRequest> batch = batch(consumer, 5);
    String bad = id(batch.get(2));
    ledger.refuse(bad);

    InboxBatchOutcome<String> outcome = guard.handleAll(batch, request -> ledger.book());

    assertThat(ledger.booked(consumer)).containsExactlyElementsOf(idsBut(batch, bad));
    assertThat(states(outcome))
        .containsExactly("PROCESSED", "PROCESSED", "failed", "PROCESSED", "PROCESSED");
    assertThat(outcome.done().get(0).outcome().value()).contains("booked " + id(batch.get(0)));
    Failed<String> failed = outcome.failed().get(0);
    assertThat(failed.request()).isSameAs(batch.get(2));
    assertThat(failed.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("unwanted: " + bad);
    assertThat(failed.delay()).isEqualTo(Duration.ofMillis(1));

    // the whole batch again, as after a crash: its last attempt, and then it is parked
    List<String> again = new ArrayList<>();
    eventually(
        () -> {
          InboxBatchOutcome<String> next = guard.handleAll(batch, request -> ledger.book());
          assertThat(states(next)).filteredOn("SKIPPED"::equals).hasSize(4);
          if (!(next.items().get(2) instanceof Failed<String> it
              && it.failure() instanceof RetryLaterException)) {
            again.add(states(next).get(2));
          }
          assertThat(again).contains("PARKED");
        });
    assertThat(again).containsExactly("failed", "PARKED");
    assertThat(ledger.booked(consumer)).hasSize(4);
  }

  @Test
  void anErrorIsTheFailureOfItsMessage() {
    String consumer = newConsumer();
    List<InboxRequest> batch = batch(consumer, 3);

    InboxBatchOutcome<String> outcome =
        guard.handleAll(
            batch,
            request -> {
              String booked = ledger.book();
              if (request == batch.get(1)) {
                throw new AssertionError("a broken library");
              }
              return booked;
            });

    assertThat(states(outcome)).containsExactly("PROCESSED", "failed", "PROCESSED");
    assertThat(ledger.booked(consumer)).containsExactlyElementsOf(idsBut(batch, id(batch.get(1))));
  }

  @Test
  void anInterruptedThreadStopsAfterItsFailureAndStaysInterrupted() {
    String consumer = newConsumer();
    List<InboxRequest> batch = batch(consumer, 3);

    InboxBatchOutcome<String> outcome =
        guard.handleAll(
            batch,
            request -> {
              if (request == batch.get(1)) {
                throw new InterruptedException("the server stops");
              }
              return ledger.book();
            });

    assertThat(Thread.interrupted()).isTrue();
    assertThat(states(outcome)).containsExactly("PROCESSED", "failed", "STOPPED");
    assertThat(ledger.booked(consumer)).containsExactly(id(batch.get(0)));
  }

  @Test
  void nothingOvertakesAFailedMessageOfItsKeyOrPartition() {
    String byKey = newConsumer();
    String byPartition = newConsumer();
    for (BatchOrder order : BatchOrder.values()) {
      String consumer = order == BatchOrder.BY_KEY ? byKey : byPartition;
      List<InboxRequest> batch =
          List.of(
              request(consumer).orderedBy("a").from("t", 0, 0),
              request(consumer).orderedBy("b").from("t", 1, 0),
              request(consumer).orderedBy("a").from("t", 0, 1),
              request(consumer).orderedBy("c").from("t", 0, 2));
      ledger.refuse(id(batch.get(0)));

      InboxBatchOutcome<String> outcome = guard.handleAll(batch, order, request -> ledger.book());

      assertThat(states(outcome))
          .containsExactly(
              "failed",
              "PROCESSED",
              "BEHIND_A_FAILURE",
              order == BatchOrder.BY_KEY ? "PROCESSED" : "BEHIND_A_FAILURE");
    }
    assertThat(ledger.booked(byKey)).hasSize(2);
    assertThat(ledger.booked(byPartition)).hasSize(1);
  }

  @Test
  void togetherMeansAllOrNothing() {
    String consumer = newConsumer();
    List<InboxRequest> batch = batch(consumer, 4);
    String bad = id(batch.get(2));
    ledger.refuse(bad);

    assertThatThrownBy(() -> guard.handleTogether(batch, request -> ledger.book()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("unwanted: " + bad);

    assertThat(ledger.booked(consumer)).isEmpty();
    assertThat(remembered(consumer)).isZero();
    eventually(
        () ->
            assertThat(failures(consumer))
                .as("only the attempt of the one that failed counts")
                .filteredOn(it -> it.endsWith("FAILED"))
                .containsExactly(bad + " FAILED"));

    ledger.accept(bad);
    eventually(
        () ->
            assertThat(guard.handleTogether(batch, request -> ledger.book()))
                .extracting(InboxOutcome::status)
                .containsOnly(Status.PROCESSED)
                .hasSize(4));
    assertThat(ledger.booked(consumer)).containsExactlyElementsOf(ids(batch));
  }

  @Test
  void oneThatNeverSucceedsIsParkedWithTheOthersHandled() {
    String consumer = newConsumer();
    List<InboxRequest> batch = batch(consumer, 3);
    String bad = id(batch.get(1));
    ledger.refuse(bad);
    List<List<Status>> ended = new ArrayList<>();

    eventually(
        () -> {
          try {
            ended.add(
                guard.handleTogether(batch, request -> ledger.book()).stream()
                    .map(InboxOutcome::status)
                    .toList());
          } catch (IllegalStateException | RetryLaterException again) {
            assertThat(ledger.booked(consumer)).isEmpty();
          }
          assertThat(ended).isNotEmpty();
        });

    assertThat(ended).containsExactly(List.of(Status.PROCESSED, Status.PARKED, Status.PROCESSED));
    assertThat(ledger.booked(consumer)).containsExactlyElementsOf(idsBut(batch, bad));
  }

  @Test
  void togetherIsInTheCallersTransactionIfThereIsOne() {
    String consumer = newConsumer();
    List<InboxRequest> batch = batch(consumer, 3);

    assertThat(office.together(batch, true)).hasSize(3);
    assertThat(ledger.booked(consumer)).as("the caller gave up").isEmpty();

    eventually(() -> assertThat(office.together(batch, false)).hasSize(3));
    assertThat(ledger.booked(consumer)).containsExactlyElementsOf(ids(batch));
  }

  @Test
  void messagesCannotHaveTransactionsOfTheirOwnInACallers() {
    String consumer = newConsumer();

    assertThatThrownBy(() -> office.each(batch(consumer, 2)))
        .hasStackTraceContaining(
            "handleAll gives each message of a batch a transaction of its own, and the calling"
                + " thread is in a transaction")
        .hasStackTraceContaining("call handleTogether");
    assertThat(ledger.booked(consumer)).isEmpty();
    assertThat(remembered(consumer)).isZero();
  }

  /**
   * A loop as the documents show it, over a topic whose consumer dies between a batch and its
   * commit now and then, with handlers that fail at random, and some at each attempt.
   */
  @ParameterizedTest
  @EnumSource
  void aLoopThatCommitsOffsetsLosesAndRepeatsNothing(BatchOrder order) {
    String consumer = newConsumer();
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Topic topic = new Topic("payments-" + consumer, 3);
    Set<String> poison = new HashSet<>();
    for (int i = 0; i < 60; i++) {
      String id = String.format(Locale.ROOT, "%03d-%s", i, random.nextInt(4));
      int partition = Math.floorMod(key(id).hashCode(), 3);
      topic.add(partition, InboxRequest.of(consumer, id).text(id).orderedBy(key(id)));
      if (random.nextInt(15) == 0) {
        poison.add(id);
      }
    }

    patience(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              poll(topic, order, poison, random);
              assertThat(topic.isCommitted()).as("seed %s", seed).isTrue();
            });

    List<String> booked = ledger.booked(consumer);
    List<String> kept =
        parked.find(KeptFilter.all().consumer(consumer), Page.first(100)).stream()
            .map(it -> it.messageId().orElseThrow())
            .toList();
    assertThat(booked).as("seed %s", seed).doesNotHaveDuplicates();
    assertThat(kept).as("seed %s", seed).containsAll(poison);
    assertThat(Stream.concat(booked.stream(), kept.stream()))
        .as("seed %s", seed)
        .doesNotHaveDuplicates()
        .hasSize(60);
    for (int key = 0; key < 4; key++) {
      String end = "-" + key;
      assertThat(booked.stream().filter(id -> id.endsWith(end)))
          .as("key %s, seed %s", key, seed)
          .isSorted();
    }
  }

  private void poll(Topic topic, BatchOrder order, Set<String> poison, Random random) {
    InboxBatchOutcome<String> outcome =
        guard.handleAll(
            topic.poll(6),
            order,
            request -> {
              String booked = ledger.book();
              if (poison.contains(id(request)) || random.nextInt(8) == 0) {
                throw new IllegalStateException("not this time");
              }
              return booked;
            });
    if (random.nextInt(8) == 0) {
      topic.restart();
      return;
    }
    outcome.doneUpTo().forEach((partition, offset) -> topic.commit(partition, offset + 1));
    outcome.retryFrom().forEach(topic::seek);
    for (int partition = 0; partition < 3; partition++) {
      for (InboxRequest request : topic.committed(partition)) {
        assertThat(isDone(request)).as("%s is committed", id(request)).isTrue();
      }
    }
  }

  private boolean isDone(InboxRequest request) {
    return lookup.handled(request.consumer(), id(request)).isPresent()
        || !parked
            .find(
                KeptFilter.all().consumer(request.consumer()).messageId(id(request)), Page.first(1))
            .isEmpty();
  }

  private static String key(String id) {
    return id.substring(id.indexOf('-') + 1);
  }

  @Test
  void whereAMessageComesFromIsFoundWhateverBecomesOfIt() {
    String consumer = newConsumer();
    InboxRequest request =
        request(consumer)
            .from("payments", 3, 42)
            .orderedBy("7")
            .header("content-type", "text/plain")
            .header("tenant", new byte[] {0, 1});

    guard.handle(request, ledger::book);
    guard.handle(request.text("other").from("payments", 3, 43), ledger::book);
    InboxRequest bad = request(consumer).from("payments", 3, 44).header("tenant", "north");
    assertThatThrownBy(
            () ->
                guard.handle(
                    bad,
                    () -> {
                      throw new RejectedMessageException("no such account");
                    }))
        .isInstanceOf(RejectedMessageException.class);
    eventually(() -> assertThat(guard.handle(bad, ledger::book).status()).isEqualTo(Status.PARKED));

    assertThat(lookup.handled(consumer, id(request)).orElseThrow().headers())
        .hasValueSatisfying(
            headers ->
                assertThat(headers)
                    .contains(
                        "\"from\":\"payments\",\"partition\":\"3\",\"offset\":\"42\"",
                        "\"orderingKey\":\"7\"",
                        "\"header:content-type\":\"text/plain\""));
    KeptMessage other = quarantined.find(KeptFilter.all().consumer(consumer), Page.first(9)).get(0);
    assertThat(other.destination()).contains("origin:payments/3@43");
    assertThat(quarantined.payload(other.id()).orElseThrow().properties())
        .contains("\"offset\":\"43\"", "\"tenant\":\"bytes:AAE=\"");
    KeptMessage rejected = parked.find(KeptFilter.all().consumer(consumer), Page.first(9)).get(0);
    assertThat(rejected.destination()).contains("origin:payments/3@44");
    assertThat(parked.payload(rejected.id()).orElseThrow().properties())
        .contains("\"offset\":\"44\"", "\"tenant\":\"string:north\"");
    assertThat(
            parked.redrive(parked.plan(KeptFilter.all().consumer(consumer)), "mended").refusals())
        .extracting(Refusal::reason)
        .singleElement()
        .asString()
        .contains("it arrived without JMS, from payments/3@44", "retry-destination");
  }

  private static List<String> states(InboxBatchOutcome<String> outcome) {
    return outcome.items().stream().map(BatchTests::state).toList();
  }

  private static String state(Item<String> item) {
    if (item instanceof Done<String> done) {
      return done.outcome().status().name();
    }
    return item instanceof NotHandled<String> not ? reason(not).name() : "failed";
  }

  private static Reason reason(NotHandled<String> item) {
    return item.reason();
  }

  static String newConsumer() {
    return "c" + UUID.randomUUID();
  }

  static InboxRequest request(String consumer) {
    return InboxRequest.of(consumer, UUID.randomUUID().toString()).text("x");
  }

  static List<InboxRequest> batch(String consumer, int size) {
    return IntStream.range(0, size).mapToObj(i -> request(consumer)).toList();
  }

  static String id(InboxRequest request) {
    return request.id().orElseThrow();
  }

  private static List<String> ids(List<InboxRequest> batch) {
    return batch.stream().map(BatchTests::id).toList();
  }

  private static List<String> idsBut(List<InboxRequest> batch, String without) {
    return ids(batch).stream().filter(id -> !id.equals(without)).toList();
  }

  private long remembered(String consumer) {
    return Long.parseLong(
        database()
            .value(
                "SELECT COUNT(*) FROM %sinbox_message WHERE consumer = ?"
                    .formatted(application.prefix()),
                consumer));
  }

  private List<String> failures(String consumer) {
    return database()
        .column(
            "SELECT message_id || ' ' || kind FROM %sinbox_failure WHERE consumer = ?"
                .formatted(application.prefix()),
            consumer);
  }

  private Database database() {
    return application.database();
  }
}
