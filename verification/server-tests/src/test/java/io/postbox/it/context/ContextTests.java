package io.postbox.it.context;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.OutboxProperties;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxOutcome.Status;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.RetryLaterException;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import io.postbox.outbox.OutboxMessage;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

/** The same on each database; each test class deploys the application on another one. */
abstract class ContextTests {
  private static final String REPLIES = "jms/replies";
  private static final String CAPTURED = "jms/captured";

  private final TestApplication application = TestApplication.of(getClass());
  private final String service = application.service();
  private final String prefix = application.prefix();

  @Inject InboxContext context;
  @Inject InboxGuard guard;
  @Inject Caller caller;
  @Inject Clerk clerk;
  @Inject Notes notes;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.inbox.max-attempts",
            "3",
            "postbox.inbox.backoff.first",
            "1ms",
            "postbox.inbox.backoff.max",
            "1ms",
            "postbox.inbox.reply-to",
            "temporary, queue:REPLIES"));
  }

  @Test
  void aCallThatWasMadeIsNotRepeatedWhenTheHandlerIsRolledBackAfterIt() {
    String text = "charge 2 " + service;
    UUID id = UUID.randomUUID();

    Broker.send("jms/" + service, id, text, 1);

    eventually(() -> assertThat(bookings(text)).isOne());
    assertThat(notes.about(text + " attempt"))
        .as("one may stay the same, because a message can be quicker than its failure's record")
        .hasSize(3)
        .startsWith("1")
        .isSorted();
    assertThat(notes.about(text + " delivered")).hasSize(3).containsOnly("clerk/" + id);
    assertThat(notes.about(text + " charged")).hasSize(1);
    assertThat(notes.about(text + " got")).hasSize(3).containsOnly("receipt-1");
    assertThat(notes.about(text + " key"))
        .as("the key, over redeliveries")
        .hasSize(3)
        .containsOnly(notes.about(text + " charged").get(0));
    assertThat(notes.about(text + " suspended")).containsExactly("true");
    assertThat(count("context_outside WHERE text = ?", text))
        .as("what the call wrote, though the handler was rolled back")
        .isOne();
    assertThat(results(id)).containsExactlyInAnyOrder("booked " + text, "receipt-1");
  }

  @Test
  void aBeanToWhichAMessageIsHandedOnIsAConsumerOfItsOwnWithIdsOfItsOwn() {
    String text = "audit 0 " + service + " order=7";
    UUID first = UUID.randomUUID();
    UUID second = UUID.randomUUID();

    Broker.send("jms/" + service, first, text, 1);
    eventually(() -> assertThat(bookings(text)).isOne());
    Broker.send("jms/" + service, second, text, 1);
    eventually(() -> assertThat(bookings(text)).isEqualTo(2));

    assertThat(notes.about(text + " delivered"))
        .containsExactly("clerk/" + first, "clerk/" + second);
    assertThat(notes.about(text + " audited"))
        .as("one order, under whichever id it was sent")
        .containsExactly("auditor/order 7");
  }

  @Test
  void aResolverThatFindsNothingOrFailsHasTheMessageKeptAsideForItsConsumerAlone() {
    String nothing = "audit 0 " + service;
    String broken = "audit 0 " + service + " order=x";

    Broker.send("jms/" + service, UUID.randomUUID(), nothing, 1);
    Broker.send("jms/" + service, UUID.randomUUID(), broken, 1);

    eventually(() -> assertThat(bookings(nothing) + bookings(broken)).isEqualTo(2));
    for (String[] kept : new String[][] {{nothing, "MISSING_ID"}, {broken, "MALFORMED_ID"}}) {
      assertThat(
              database()
                  .column(
                      "SELECT reason FROM %sinbox_stored WHERE consumer = 'auditor' AND CAST(payload_text AS VARCHAR(200)) = ?"
                          .formatted(prefix),
                      kept[0]))
          .containsExactly(kept[1]);
      assertThat(notes.about(kept[0] + " audited")).isEmpty();
    }
  }

  @Test
  void theAnswerIsSentToWhoeverAskedAndAgainForADuplicate() throws JMSException {
    String text = "ask 0 " + service;
    UUID id = UUID.randomUUID();
    Broker.drain(REPLIES);

    ask(id, text, "first");
    assertThat(answer()).isEqualTo("first: booked " + text);
    ask(id, text, "second");
    assertThat(answer()).isEqualTo("second: booked " + text);

    assertThat(bookings(text)).isOne();
    assertThat(Broker.depth(REPLIES)).isZero();
  }

  @Test
  void theAnswerGoesToATemporaryQueueAndToNobodyElseWhoKnowsTheId() throws JMSException {
    String text = "ask 0 temporary " + service;
    UUID id = UUID.randomUUID();
    Broker.drain(REPLIES);
    try (JMSContext jms = jms()) {
      Queue mine = jms.createTemporaryQueue();
      try (JMSConsumer own = jms.createConsumer(mine)) {
        ask(jms, id, text, "mine", mine);
        assertThat(own.receiveBody(String.class, 10_000)).isEqualTo("booked " + text);

        ask(jms, id, text, "theirs", Names.lookup(REPLIES, Queue.class));
        eventually(() -> assertThat(Broker.depth("jms/" + service)).isZero());
        ask(jms, id, text, "mine", mine);

        assertThat(own.receiveBody(String.class, 10_000)).isEqualTo("booked " + text);
        assertThat(own.receiveNoWait()).isNull();
      }
    }
    assertThat(Broker.depth(REPLIES)).isZero();
    assertThat(bookings(text)).isOne();
  }

  @Test
  void aReplyToThatIsNotListedIsNotWrittenToAndTheWorkIsDone() {
    String text = "ask 0 elsewhere " + service;
    Broker.drain(CAPTURED);
    try (JMSContext jms = jms()) {
      ask(jms, UUID.randomUUID(), text, "theirs", Names.lookup(CAPTURED, Queue.class));
    }

    eventually(() -> assertThat(bookings(text)).isOne());

    eventually(() -> assertThat(Broker.depth("jms/" + service)).isZero());
    assertThat(Broker.depth(CAPTURED)).isZero();
  }

  private void ask(UUID id, String text, String correlation) {
    try (JMSContext jms = jms()) {
      ask(jms, id, text, correlation, Names.lookup(REPLIES, Queue.class));
    }
  }

  private void ask(JMSContext jms, UUID id, String text, String correlation, Queue replyTo) {
    jms.createProducer()
        .setProperty(OutboxProperties.MESSAGE_ID, id.toString())
        .setJMSReplyTo(replyTo)
        .setJMSCorrelationID(correlation)
        .send(Names.lookup("jms/" + service, Queue.class), text);
  }

  private static JMSContext jms() {
    return Names.lookup("jms/cf", ConnectionFactory.class)
        .createContext(JMSContext.AUTO_ACKNOWLEDGE);
  }

  private static String answer() throws JMSException {
    Message answer = Broker.receive(REPLIES);
    return answer.getJMSCorrelationID() + ": " + answer.getBody(String.class);
  }

  @Test
  void outsideOfAHandlerThereIsNothingToSpeakOf() {
    assertThatThrownBy(() -> context.consumer())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("No handler of the inbox runs on this thread");
    assertThatThrownBy(() -> context.once("charge", key -> "x"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aRequestWithoutJmsIsHandledOnceAndItsAnswerRepeated() {
    InboxRequest request = request("plain " + service);

    InboxOutcome<String> first = bring(request);
    InboxOutcome<String> second = bring(request.deliveries(2));

    Optional<String> booked = Optional.of("booked plain " + service);
    assertThat(first)
        .isEqualTo(new InboxOutcome<>(Status.PROCESSED, Optional.of("worked"), booked));
    assertThat(second).isEqualTo(new InboxOutcome<>(Status.SKIPPED, Optional.empty(), booked));
    assertThat(bookings("plain " + service)).isOne();
  }

  @Test
  void otherContentUnderAKnownIdAndAnIdThatIsNoneAreKeptAside() {
    InboxRequest request = request("known " + service);
    bring(request);

    assertThat(bring(request.text("other " + service)).status()).isEqualTo(Status.QUARANTINED);
    assertThat(bring(InboxRequest.of("http", null).text("nameless " + service)).status())
        .isEqualTo(Status.QUARANTINED);

    assertThat(
            database()
                .column(
                    "SELECT payload_text FROM %sinbox_stored WHERE status = 'QUARANTINED' AND consumer = 'http'"
                        .formatted(prefix)))
        .containsExactlyInAnyOrder("other " + service, "nameless " + service);
    assertThat(bookings("other " + service)).isZero();
  }

  @Test
  void aFailingRequestIsRetriedUntilItIsParked() {
    InboxRequest request = request("poison " + service);
    List<Exception> thrown = new ArrayList<>();
    List<Status> ended = new ArrayList<>();

    eventually(
        () -> {
          try {
            ended.add(guard.handle(request, () -> fail(request)).status());
          } catch (IllegalStateException | RetryLaterException again) {
            thrown.add(again);
          }
          assertThat(ended).isNotEmpty();
        });

    assertThat(ended).containsExactly(Status.PARKED);
    assertThat(thrown).filteredOn(IllegalStateException.class::isInstance).hasSize(3);
    assertThat(notes.about("poison")).containsExactly("1", "2", "3");
    assertThat(
            database()
                .column(
                    "SELECT payload_text FROM %sinbox_stored WHERE status = 'PARKED' AND destination IS NULL"
                        .formatted(prefix)))
        .containsExactly("poison " + service);
    assertThat(count(prefix + "inbox_message WHERE message_id = ?", id(request))).isZero();
  }

  private String fail(InboxRequest request) {
    notes.add("poison", String.valueOf(context.attempt()));
    database().run("INSERT INTO context_booking (text) VALUES (?)", request.text().orElseThrow());
    throw new IllegalStateException("never");
  }

  @Test
  void thePayloadIsReadAsAnObjectWhateverElseItsSenderWrites() {
    OutboxMessage order = OutboxMessage.to(service).event("OrderPlaced");
    UUID json =
        caller.order(
            order
                .json(Map.of("quantity", 2, "sku", "BOOK-1", "gift", List.of("card")))
                .schemaVersion("3"));
    UUID text = caller.order(order.text("{\"sku\":\"BOOK-2\"}"));
    UUID bytes = caller.order(order.bytes("{\"quantity\":5}".getBytes(StandardCharsets.UTF_8)));

    eventually(
        () -> {
          assertThat(notes.about(json.toString()))
              .containsExactly(new Reading("BOOK-1", 2) + " of 3");
          assertThat(notes.about(text.toString()))
              .containsExactly(new Reading("BOOK-2", 0) + " of no version");
          assertThat(notes.about(bytes.toString()))
              .containsExactly(new Reading(null, 5) + " of no version");
        });
  }

  @Test
  void aPayloadThatCannotBeReadIsParkedAtOnceAndTheErrorSaysWhatItIs() {
    OutboxMessage order = OutboxMessage.to(service).event("OrderPlaced");
    UUID malformed = caller.order(order.text("{\"quantity\":\"many\"}").schemaVersion("4"));
    UUID truncated = caller.order(order.text("{\"quantity\":"));
    UUID array = caller.order(order.json(List.of(1)));

    eventually(
        () ->
            assertThat(
                    database()
                        .column(
                            "SELECT message_id FROM %sinbox_stored WHERE reason = 'REJECTED'"
                                .formatted(prefix)))
                .contains(malformed.toString(), truncated.toString(), array.toString()));

    assertThat(
            database()
                .value(
                    "SELECT error FROM %sinbox_stored WHERE message_id = ?".formatted(prefix),
                    malformed.toString()))
        .contains(
            "Message "
                + malformed
                + " for the consumer 'clerk' cannot be read as io.postbox.it.context.Reading: its body is not the JSON of such an object (content type text/plain, schema version 4)");
  }

  @Test
  void thePayloadOfARequestWithoutJmsIsReadTheSameWay() {
    InboxRequest request = request("{\"sku\":\"BOOK-1\",\"quantity\":2,\"colour\":\"red\"}");

    assertThat(guard.handle(request, clerk::read).value())
        .contains(new Reading("BOOK-1", 2) + " of no version");
    InboxRequest avro = request("Obj").header("content-type", "application/avro");
    assertThatThrownBy(() -> guard.handle(avro, () -> context.payload(Reading.class)))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageContaining("its content type is not JSON (content type application/avro");
  }

  @Test
  void itJoinsTheTransactionOfWhoeverCalls() {
    String text = "joined " + service;
    InboxRequest request = request(text);

    assertThat(caller.bring(request, text, true).status()).isEqualTo(Status.PROCESSED);
    assertThat(bookings(text)).as("the caller gave up").isZero();

    eventually(
        () -> assertThat(caller.bring(request, text, false).status()).isEqualTo(Status.PROCESSED));
    assertThat(caller.bring(request, text, false).status()).isEqualTo(Status.SKIPPED);
    assertThat(bookings(text)).isOne();
  }

  @Test
  void ofSeveralThatBringOneMessageAtOnceOneHandlesIt() throws Exception {
    String text = "company " + service;
    InboxRequest request = request(text);
    CountDownLatch all = new CountDownLatch(4);
    // threads of its own: the server's executor starts with too few for four that wait
    ExecutorService executor =
        Executors.newFixedThreadPool(
            4, Names.lookup("java:comp/DefaultManagedThreadFactory", ManagedThreadFactory.class));
    List<Future<Status>> outcomes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      outcomes.add(
          executor.submit(
              () -> {
                all.countDown();
                all.await();
                return bring(request).status();
              }));
    }

    List<Status> ended = new ArrayList<>();
    for (Future<Status> outcome : outcomes) {
      ended.add(outcome.get(30, TimeUnit.SECONDS));
    }
    executor.shutdown();
    assertThat(ended)
        .containsExactlyInAnyOrder(
            Status.PROCESSED, Status.SKIPPED, Status.SKIPPED, Status.SKIPPED);
    assertThat(notes.about(text + " charged")).hasSize(1);
    assertThat(bookings(text)).isOne();
  }

  private InboxOutcome<String> bring(InboxRequest request) {
    return guard.handle(
        request,
        () -> {
          clerk.work(request.text().orElseThrow(), 0);
          return "worked";
        });
  }

  private static InboxRequest request(String text) {
    return InboxRequest.of("http", UUID.randomUUID().toString()).text(text);
  }

  private static String id(InboxRequest request) {
    return request.id().orElseThrow();
  }

  private List<String> results(UUID id) {
    return database()
        .column(
            "SELECT result FROM %sinbox_result WHERE consumer = 'clerk' AND message_id = ?"
                .formatted(prefix),
            id.toString());
  }

  private long bookings(String text) {
    return count("context_booking WHERE text = ?", text);
  }

  private long count(String rows, String parameter) {
    return Long.parseLong(database().value("SELECT COUNT(*) FROM " + rows, parameter));
  }

  private Database database() {
    return application.database();
  }
}
