package io.postbox.it.guard;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Page;
import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxBatchOutcome;
import io.postbox.inbox.InboxBatchOutcome.Done;
import io.postbox.inbox.InboxBatchOutcome.Failed;
import io.postbox.inbox.InboxBatchOutcome.Item;
import io.postbox.inbox.InboxBatchOutcome.Partition;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxOutcome.Status;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.InboxRequest.Header;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.MessageLookup;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.RetryLaterException;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same on each database. */
abstract class GuardTests {
  private final TestApplication application = TestApplication.of(getClass());
  private final List<CountDownLatch> stops = new ArrayList<>();

  @Inject InboxGuard guard;
  @Inject Clerk clerk;
  @Inject Cashier cashier;
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
            "50ms",
            "postbox.inbox.backoff.max",
            "100ms",
            "postbox.inbox.consumer.alone.capture.workers",
            "1",
            "postbox.inbox.consumer.narrow.capture.limit",
            "3",
            "postbox.inbox.consumer.strict.quota.messages",
            "1"));
  }

  @AfterEach
  void letThemGoOn() {
    stops.forEach(CountDownLatch::countDown);
  }

  @Test
  void aMessageIsCapturedAndHandledOnceAndItsDuplicateGetsTheReply() {
    InboxRequest request = stopped("clerk");

    assertThat(guard.capture(request))
        .isEqualTo(new InboxOutcome<>(Status.CAPTURED, Optional.empty(), Optional.empty()));
    assertThat(outcomes(request)).containsExactly("CAPTURED");
    assertThat(guard.capture(request))
        .as("while it is not handled")
        .isEqualTo(new InboxOutcome<>(Status.SKIPPED, Optional.empty(), Optional.empty()));
    assertThat(guard.handle(request, () -> "handled beside it").status()).isEqualTo(Status.SKIPPED);

    letThemGoOn();
    isHandled(request);
    assertThat(guard.capture(request))
        .isEqualTo(
            new InboxOutcome<>(
                Status.SKIPPED, Optional.empty(), Optional.of("handled " + textOf(request))));
    assertThat(clerk.received(textOf(request))).hasSize(1);
  }

  @Test
  void otherContentUnderAKnownIdIsQuarantined() {
    InboxRequest request = request("clerk");
    guard.capture(request);

    assertThat(guard.capture(request.text("other").from("payments", 3, 43)).status())
        .isEqualTo(Status.QUARANTINED);
    assertThat(find(request, "clerk"))
        .extracting(KeptMessage::reason)
        .containsExactly("OTHER_CONTENT");
    assertThat(find(request, "clerk").get(0).destination()).contains("origin:payments/3@43");
    isHandled(request);
  }

  private List<KeptMessage> find(InboxRequest request, String consumer) {
    return quarantined.find(
        KeptFilter.all().consumer(consumer).messageId(request.id().orElseThrow()), Page.first(9));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "a\nb"})
  void aMessageWithoutAUsableIdIsQuarantined(String id) {
    InboxRequest request = InboxRequest.of("clerk", id).text(text());

    assertThat(guard.capture(request).status()).isEqualTo(Status.QUARANTINED);
    assertThat(column("SELECT status FROM %sinbox_stored WHERE payload_text = ?", textOf(request)))
        .containsExactly("QUARANTINED");
  }

  @Test
  void theHandlerGetsWhatTheRequestSays() {
    InboxRequest request =
        request("clerk")
            .event("PaymentReceived")
            .source("bank")
            .aggregate("Account", "7", 3)
            .from("payments", 3, 42)
            .priority(7)
            .header("tenant", "north")
            .header("tenant", "south")
            .header("octets", new byte[] {0, 1});
    guard.capture(request);
    isHandled(request);

    CapturedMessage message = clerk.received(textOf(request)).get(0);
    assertThat(message.consumer()).isEqualTo("clerk");
    assertThat(Optional.of(message.id())).isEqualTo(request.id());
    assertThat(message.eventType()).contains("PaymentReceived");
    assertThat(message.source()).contains("bank");
    assertThat(message.orderingKey()).contains("Account/7");
    assertThat(message.priority()).isEqualTo(7);
    assertThat(message.destination()).contains("origin:payments/3@42");
    assertThat(message.headers())
        .extracting(Header::name)
        .containsExactly("tenant", "tenant", "octets");
    assertThat(message.lastHeader("Tenant")).contains("south");
    assertThat(message.headers().get(2).bytes().orElseThrow()).containsExactly(0, 1);
    assertThat(lookup.handled("clerk", message.id()).orElseThrow().headers())
        .hasValueSatisfying(headers -> assertThat(headers).contains("\"offset\":\"42\""));
  }

  @Test
  void messagesOfAKeyKeepTheirOrderAndOthersPass() {
    String run = text();
    InboxRequest first = stopped("clerk").orderedBy(run + "-a");
    InboxRequest second = request("clerk").orderedBy(run + "-a");
    InboxRequest other = request("clerk").orderedBy(run + "-b");
    guard.captureAll(List.of(first, second, other));

    isHandled(other);
    assertThat(statuses(first)).containsExactly("PENDING");
    assertThat(statuses(second)).containsExactly("HELD");
    letThemGoOn();
    isHandled(first);
    isHandled(second);
    assertThat(clerk.received(textOf(second)).get(0).orderingKey()).contains(run + "-a");
  }

  @Test
  void ofThoseThatWaitTheOnesWithAHigherPriorityGoFirst() {
    InboxRequest running = stopped("alone");
    guard.capture(running);
    eventually(() -> assertThat(clerk.received(textOf(running))).hasSize(1));
    String run = text();
    for (int priority : new int[] {0, 4, 9}) {
      guard.capture(request("alone").text(run + priority).priority(priority));
    }

    letThemGoOn();
    eventually(() -> assertThat(clerk.written(run)).containsExactly(run + 9, run + 4, run + 0));
  }

  @Test
  void aMessageIsNotHandledBeforeItsTime() {
    Instant in = Instant.now().plus(Duration.ofDays(1));
    InboxRequest later = request("alone").notBefore(in);
    guard.capture(later);
    InboxRequest now = request("alone").notBefore(Instant.now().minusSeconds(1));
    guard.capture(now);

    isHandled(now);
    assertThat(statuses(later)).containsExactly("DELAYED");
    assertThat(clerk.received(textOf(later))).isEmpty();
    run(
        "UPDATE %sinbox_stored SET due_at = CURRENT_TIMESTAMP WHERE message_id = ?",
        later.id().orElseThrow());
    isHandled(later);
  }

  @Test
  void inACallersTransactionItSharesItsEnd() {
    InboxRequest request = request("clerk");
    String beside = text();

    assertThat(cashier.capture(request, beside, true).status()).isEqualTo(Status.CAPTURED);
    assertThat(outcomes(request)).as("the caller gave up").isEmpty();
    assertThat(statuses(request)).isEmpty();
    assertThat(clerk.written(beside)).isEmpty();

    assertThat(cashier.capture(request, beside, false).status()).isEqualTo(Status.CAPTURED);
    assertThat(clerk.written(beside)).hasSize(1);
    isHandled(request);
  }

  @Test
  void aBatchTellsOfEachMessage() {
    InboxRequest known = request("clerk");
    guard.capture(known);
    List<InboxRequest> batch =
        List.of(
            request("clerk").from("t", 0, 5),
            known.from("t", 0, 6),
            known.text("other").from("t", 0, 7),
            InboxRequest.of("clerk", null).text(text()).from("t", 1, 2),
            request("alone").from("t", 1, 3));

    InboxBatchOutcome<Void> outcome = guard.captureAll(batch);

    assertThat(states(outcome))
        .containsExactly("CAPTURED", "SKIPPED", "QUARANTINED", "QUARANTINED", "CAPTURED");
    assertThat(outcome.isDone()).isTrue();
    assertThat(outcome.doneUpTo())
        .containsEntry(new Partition("t", 0), 7L)
        .containsEntry(new Partition("t", 1), 3L);
    isHandled(batch.get(0));
    isHandled(batch.get(4));
    assertThat(states(guard.captureAll(batch)).subList(0, 2)).containsOnly("SKIPPED");
  }

  @Test
  void aFailureUndoesNoOtherMessageOfItsBatch() {
    assertThat(guard.capture(InboxRequest.of("strict", null).text(text())).status())
        .as("fills the quota")
        .isEqualTo(Status.QUARANTINED);
    InboxRequest bad = InboxRequest.of("strict", null).text(text()).orderedBy("k").from("t", 0, 1);
    List<InboxRequest> batch =
        List.of(
            request("strict").from("t", 0, 0),
            bad,
            request("strict").orderedBy("k").from("t", 0, 2),
            request("strict").from("t", 0, 3));

    InboxBatchOutcome<Void> outcome = guard.captureAll(batch);

    assertThat(states(outcome))
        .containsExactly("CAPTURED", "failed", "BEHIND_A_FAILURE", "CAPTURED");
    assertThat(outcome.failed().get(0).failure())
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("quota.messages");
    assertThat(outcome.doneUpTo()).containsEntry(new Partition("t", 0), 0L);
    assertThat(outcome.retryFrom()).containsEntry(new Partition("t", 0), 1L);
    isHandled(batch.get(0));
    isHandled(batch.get(3));
    assertThat(outcomes(batch.get(2))).isEmpty();
  }

  @Test
  void aFullBacklogRefusesUntilThereIsRoom() {
    List<InboxRequest> few = List.of(stopped("narrow"), stopped("narrow"), stopped("narrow"));
    assertThat(states(guard.captureAll(few))).containsOnly("CAPTURED");
    InboxRequest refused = request("narrow");
    String beside = text();

    assertThatThrownBy(() -> guard.capture(refused))
        .isInstanceOfSatisfying(
            RetryLaterException.class,
            thrown -> assertThat(thrown.delay()).isEqualTo(Duration.ofSeconds(1)))
        .hasMessageContaining("the consumer 'narrow'", "postbox.inbox.capture.limit allows, 3");
    InboxBatchOutcome<Void> outcome =
        guard.captureAll(List.of(refused, request("clerk"), request("narrow")));
    assertThat(states(outcome)).containsExactly("failed", "CAPTURED", "failed");
    assertThat(outcome.retryAfter()).contains(Duration.ofSeconds(1));
    assertThat(outcome.failed())
        .extracting(Failed::failure)
        .hasOnlyElementsOfType(RetryLaterException.class);
    assertThat(cashier.captureRegardless(refused, beside)).isFalse();
    assertThat(clerk.written(beside)).as("beside a message that was refused").isEmpty();
    assertThat(outcomes(refused)).isEmpty();

    letThemGoOn();
    few.forEach(this::isHandled);
    assertThat(guard.capture(refused).status()).isEqualTo(Status.CAPTURED);
    isHandled(refused);
  }

  @Test
  void whereNobodyCouldHandleItNothingIsCaptured() {
    InboxRequest unknown = request("nobody");

    assertThatThrownBy(() -> guard.capture(unknown))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The consumer 'nobody' has no @InboxHandler(\"nobody\")");
    InboxRequest known = request("clerk");
    assertThatThrownBy(() -> guard.captureAll(List.of(known, unknown)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(outcomes(known)).isEmpty();
  }

  @Test
  void aBatchHasNoCallersTransaction() {
    InboxRequest request = request("clerk");

    assertThatThrownBy(() -> cashier.captureAll(List.of(request)))
        .hasStackTraceContaining("captureAll commits the messages of a batch itself")
        .hasStackTraceContaining("call capture for each message");
    assertThat(outcomes(request)).isEmpty();
  }

  @Test
  void aMessageThatFailsTooOftenIsParkedAndRedrivenWithoutABroker() {
    InboxRequest request = request("clerk").from("payments", 3, 44).header("tenant", "north");
    clerk.fail(textOf(request), 2);
    guard.capture(request);
    eventually(() -> assertThat(statuses(request)).containsExactly("PARKED"));
    assertThat(guard.capture(request).status()).isEqualTo(Status.SKIPPED);

    Redriven redriven =
        parked.redrive(
            parked.plan(KeptFilter.all().consumer("clerk").messageId(request.id().orElseThrow())),
            "the handler is mended");

    assertThat(redriven.refusals()).isEmpty();
    assertThat(redriven.messages()).isOne();
    isHandled(request);
    assertThat(clerk.received(textOf(request)))
        .hasSize(3)
        .allSatisfy(message -> assertThat(message.lastHeader("tenant")).contains("north"));
  }

  private void isHandled(InboxRequest request) {
    eventually(() -> assertThat(statuses(request)).isEmpty());
    assertThat(outcomes(request)).containsExactly("PROCESSED");
    assertThat(clerk.written(textOf(request))).hasSize(1);
  }

  private List<String> statuses(InboxRequest request) {
    return column(
        "SELECT status FROM %sinbox_stored WHERE captured AND message_id = ?",
        request.id().orElseThrow());
  }

  private List<String> outcomes(InboxRequest request) {
    return column(
        "SELECT outcome FROM %sinbox_message WHERE message_id = ?", request.id().orElseThrow());
  }

  private List<String> column(String sql, Object... parameters) {
    return application.database().column(sql.replace("%s", application.prefix()), parameters);
  }

  private void run(String sql, Object... parameters) {
    application.database().run(sql.replace("%s", application.prefix()), parameters);
  }

  private static List<String> states(InboxBatchOutcome<Void> outcome) {
    return outcome.items().stream().map(GuardTests::state).toList();
  }

  private static String state(Item<Void> item) {
    if (item instanceof Done<Void> done) {
      return done.outcome().status().name();
    }
    return item instanceof InboxBatchOutcome.NotHandled<Void> not ? not.reason().name() : "failed";
  }

  static String text() {
    return UUID.randomUUID().toString();
  }

  static InboxRequest request(String consumer) {
    return InboxRequest.of(consumer, UUID.randomUUID().toString()).text(text());
  }

  /** One whose handler waits until the test lets it go on. */
  InboxRequest stopped(String consumer) {
    InboxRequest request = request(consumer);
    stops.add(clerk.stopAt(textOf(request)));
    return request;
  }

  private static String textOf(InboxRequest request) {
    return request.text().orElseThrow();
  }
}
