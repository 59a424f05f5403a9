package io.postbox.it.capture;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxNodes;
import io.postbox.inbox.InboxOutcome.Status;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.Redriven;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same on each database. */
abstract class CaptureTests {
  private final TestApplication application = TestApplication.of(getClass());
  private final String queue = application.queue();

  @Inject CaptureScript script;
  @Inject InboxStatistics inbox;
  @Inject ParkedMessages parked;
  @Inject InboxGuard guard;
  @Inject InboxNodes nodes;

  private ConsumerStatistics before = new ConsumerStatistics("capture", 0, 0, 0, 0);

  /** The body of a message as an object. */
  public static class Order {
    /** The article. */
    public String sku = "";

    /** How many. */
    public int quantity;
  }

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.inbox.connection-factory",
            "jms/cf",
            "postbox.inbox.backoff.first",
            "50ms",
            "postbox.inbox.backoff.max",
            "100ms",
            "postbox.inbox.max-attempts",
            "4"));
  }

  @BeforeEach
  void makeTable() {
    database()
        .run(
            "CREATE TABLE IF NOT EXISTS capture_effect (text VARCHAR(100) NOT NULL,"
                + " ordering_key VARCHAR(100) NOT NULL, attempt INTEGER NOT NULL)");
    Broker.drain(queue + "-follow-up");
    before = now();
  }

  private static Database database() {
    return CaptureHandler.database();
  }

  private ConsumerStatistics now() {
    return inbox.byConsumer().stream()
        .filter(statistics -> statistics.consumer().equals("capture"))
        .findAny()
        .orElse(new ConsumerStatistics("capture", 0, 0, 0, 0));
  }

  private List<String> column(String sql, Object... parameters) {
    return application.database().column(sql.replace("%s", application.prefix()), parameters);
  }

  private List<String> effects(String text) {
    return column("SELECT text FROM capture_effect WHERE text = ?", text);
  }

  private List<String> statuses(UUID id) {
    return column(
        "SELECT status FROM %sinbox_stored WHERE captured AND message_id = ?", id.toString());
  }

  private List<String> outcomes(UUID id) {
    return column("SELECT outcome FROM %sinbox_message WHERE message_id = ?", id.toString());
  }

  private void send(UUID id, String text, Map<String, String> properties) {
    try (JMSContext context =
        Names.lookup("jms/cf", ConnectionFactory.class)
            .createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      Message message = context.createTextMessage(text);
      message.setStringProperty("OutboxMessageId", id.toString());
      for (Map.Entry<String, String> property : properties.entrySet()) {
        message.setStringProperty(property.getKey(), property.getValue());
      }
      context.createProducer().send(Names.lookup(queue, Queue.class), message);
    } catch (JMSException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private void isHandledOnce(UUID id, String text) {
    eventually(() -> assertThat(outcomes(id)).containsExactly("PROCESSED"));
    eventually(() -> assertThat(statuses(id)).isEmpty());
    assertThat(effects(text)).hasSize(1);
  }

  /** Its workers begin only then: before that, names that handlers look up are not bound yet. */
  @Test
  void theServerKnowsThisApplicationByItsNameAndSaysThatItHasStarted() throws JMException {
    String name = Names.lookup("java:app/AppName", String.class);

    assertThat(
            ManagementFactory.getPlatformMBeanServer()
                .getAttribute(
                    new ObjectName(
                        "WebSphere:service=com.ibm.websphere.application.ApplicationMBean,name="
                            + name),
                    "State"))
        .isEqualTo("STARTED");
    assertThat(
            nodes.list().stream()
                .flatMap(node -> node.consumers().stream())
                .filter(consumer -> consumer.consumer().equals("capture"))
                .mapToInt(consumer -> consumer.missingWorkers()))
        .containsOnly(0);
  }

  /** As a node meets it that is not upgraded yet, or was taken back. */
  @Test
  void aMessageOfAnotherNodeWaitsForItAndOthersGoOn() {
    UUID foreign = UUID.randomUUID();
    application
        .database()
        .run(
            """
            INSERT INTO %sinbox_stored
              (consumer, message_id, status, captured, precedence, fingerprint, fingerprint_version,
               headers, size, body_type, payload_text, properties)
            VALUES ('elsewhere', ?, 'PENDING', TRUE, 5, ?, 2, '{}', 1, 'TEXT', 'x',
                    '{"headers":{},"properties":{}}')
            """
                .replace("%s", application.prefix()),
            foreign.toString(),
            new byte[32]);
    try {
      eventually(
          () ->
              assertThat(nodes.list())
                  .anySatisfy(
                      node -> assertThat(node.findings()).contains("waits-for-another-node")));
      UUID own = UUID.randomUUID();
      send(own, "beside", Map.of());
      isHandledOnce(own, "beside");

      assertThat(Log.ofServer().lines("IBX0198", "'elsewhere'")).hasSize(1);
      assertThat(statuses(foreign)).containsExactly("PENDING");
      assertThat(
              column("SELECT kind FROM %sinbox_failure WHERE message_id = ?", foreign.toString()))
          .isEmpty();
    } finally {
      application
          .database()
          .run(
              "DELETE FROM %sinbox_stored WHERE message_id = ?".replace("%s", application.prefix()),
              foreign.toString());
    }
  }

  @Test
  void aMessageIsCapturedAndHandledOnce() {
    String text = "once";
    UUID id = UUID.randomUUID();

    Broker.send(queue, id, text, 1);
    eventually(() -> assertThat(effects(text)).hasSize(1));
    isHandledOnce(id, text);
    Broker.send(queue, id, text, 3);

    eventually(() -> assertThat(now().skipped() - before.skipped()).isEqualTo(3));
    assertThat(now().processed() - before.processed()).isOne();
    assertThat(effects(text)).hasSize(1);
    assertThat(script.received(text)).hasSize(1);
    assertThat(Broker.receive(queue + "-follow-up")).isNotNull();
    assertThat(Broker.depth(queue + "-follow-up")).isZero();
  }

  @Test
  void aMessageThatTheGuardCapturedIsADuplicateFromTheBrokerAndTheOtherWayRound() {
    UUID first = UUID.randomUUID();
    UUID second = UUID.randomUUID();
    assertThat(guard.capture(request(first, "by the guard")).status()).isEqualTo(Status.CAPTURED);
    Broker.send(queue, first, "by the guard", 1);
    eventually(() -> assertThat(now().skipped() - before.skipped()).isOne());
    isHandledOnce(first, "by the guard");

    Broker.send(queue, second, "by the broker", 1);
    eventually(() -> assertThat(outcomes(second)).containsExactly("PROCESSED"));
    assertThat(guard.capture(request(second, "by the broker")).status()).isEqualTo(Status.SKIPPED);
    assertThat(guard.capture(request(second, "altered")).status()).isEqualTo(Status.QUARANTINED);
    isHandledOnce(second, "by the broker");
  }

  private static InboxRequest request(UUID id, String text) {
    return InboxRequest.of("capture", id.toString()).text(text);
  }

  @Test
  void itIsAcknowledgedBeforeItIsHandled() {
    String text = "slow";
    UUID id = UUID.randomUUID();
    CountDownLatch goOn = script.stopAt(text);

    Broker.send(queue, id, text, 1);
    eventually(() -> assertThat(script.received(text)).hasSize(1));
    eventually(() -> assertThat(Broker.depth(queue)).isZero());
    assertThat(statuses(id)).containsExactly("PENDING");
    assertThat(outcomes(id)).containsExactly("CAPTURED");
    Broker.send(queue, id, text, 1);
    Broker.send(queue, id, "other content", 1);

    eventually(() -> assertThat(now().skipped() - before.skipped()).isOne());
    eventually(() -> assertThat(now().quarantined() - before.quarantined()).isOne());
    goOn.countDown();
    isHandledOnce(id, text);
  }

  @Test
  void aHandlerThatFailsIsCalledAgainAndHasItsEffectsOnce() {
    String text = "fails";
    UUID id = UUID.randomUUID();
    script.fail(text, 3);

    Broker.send(queue, id, text, 1);
    eventually(() -> assertThat(effects(text)).hasSize(1));

    isHandledOnce(id, text);
    assertThat(script.received(text)).hasSize(4);
    assertThat(column("SELECT attempt FROM capture_effect WHERE text = ?", text))
        .containsExactly("4");
    assertThat(column("SELECT kind FROM %sinbox_failure WHERE message_id = ?", id.toString()))
        .containsExactly("FAILED", "FAILED", "FAILED");
    assertThat(Broker.receive(queue + "-follow-up")).isNotNull();
    assertThat(Broker.depth(queue + "-follow-up")).isZero();
  }

  @Test
  void aMessageThatFailsTooOftenIsParkedAndHoldsItsKeyOnly() {
    String text = "always fails";
    UUID id = UUID.randomUUID();
    UUID behind = UUID.randomUUID();
    UUID other = UUID.randomUUID();
    script.fail(text, 1_000);

    send(id, text, Map.of("JMSXGroupID", "stuck"));
    eventually(() -> assertThat(script.received(text)).isNotEmpty());
    send(behind, "behind", Map.of("JMSXGroupID", "stuck"));
    send(other, "another key", Map.of("JMSXGroupID", "free"));

    eventually(() -> assertThat(statuses(id)).containsExactly("PARKED"));
    eventually(() -> assertThat(effects("another key")).hasSize(1));
    isHandledOnce(other, "another key");
    assertThat(script.received(text)).hasSize(4);
    assertThat(statuses(behind)).containsExactly("HELD");
    assertThat(effects("behind")).isEmpty();
    assertThat(
            column("SELECT payload_text FROM %sinbox_stored WHERE message_id = ?", id.toString()))
        .containsExactly(text);

    script.fail(text, 0);
    Redriven redriven =
        parked.redrive(parked.plan(KeptFilter.all().consumer("capture")), "the handler is mended");
    assertThat(redriven.messages()).isOne();
    eventually(() -> assertThat(effects("behind")).hasSize(1));
    isHandledOnce(id, text);
    isHandledOnce(behind, "behind");
    assertThat(now().skipped()).as("nothing was sent again").isEqualTo(before.skipped());
  }

  @Test
  void aDiscardedMessageLetsThoseBehindItGoOn() {
    String text = "given up";
    UUID id = UUID.randomUUID();
    UUID behind = UUID.randomUUID();
    script.fail(text, 1_000);

    send(id, text, Map.of("JMSXGroupID", "given up"));
    eventually(() -> assertThat(script.received(text)).isNotEmpty());
    send(behind, "behind it", Map.of("JMSXGroupID", "given up"));
    eventually(() -> assertThat(statuses(id)).containsExactly("PARKED"));

    parked.discard(parked.plan(KeptFilter.all().consumer("capture")), "nobody needs it");
    eventually(() -> assertThat(effects("behind it")).hasSize(1));
    isHandledOnce(behind, "behind it");
    assertThat(outcomes(id)).containsExactly("DISCARDED");
    assertThat(statuses(id)).isEmpty();
  }

  @Test
  void messagesOfAKeyAreHandledInOrderAndASlowOneHoldsUpNoOther() {
    String run = UUID.randomUUID().toString().substring(0, 8);
    CountDownLatch goOn = script.stopAt(run + "-0-0");
    for (int number = 0; number < 10; number++) {
      for (int key = 0; key < 3; key++) {
        send(
            UUID.randomUUID(),
            run + "-" + key + "-" + number,
            Map.of("JMSXGroupID", run + "-" + key));
      }
    }

    for (int key = 1; key < 3; key++) {
      String of = run + "-" + key;
      eventually(() -> assertThat(effectsOf(of)).isEqualTo(10));
    }
    String slow = run + "-0";
    eventually(() -> assertThat(captured(slow)).hasSize(10));
    assertThat(effectsOf(slow)).isZero();
    List<String> order = captured(slow);
    goOn.countDown();
    eventually(() -> assertThat(effectsOf(slow)).isEqualTo(10));
    assertThat(
            script.all().stream()
                .filter(it -> it.orderingKey().orElse("").equals(slow))
                .map(it -> it.text().orElse("")))
        .containsExactlyElementsOf(order);
  }

  private int effectsOf(String key) {
    return column("SELECT text FROM capture_effect WHERE ordering_key = ?", key).size();
  }

  /** Five instances may capture the messages of a key in another order than that of the queue. */
  private List<String> captured(String key) {
    return column(
        "SELECT payload_text FROM %sinbox_stored WHERE ordering_key = ? ORDER BY id", key);
  }

  @Test
  void theHandlerReceivesTheWholeMessage() throws JMSException {
    UUID id = UUID.randomUUID();
    String json = "{\"sku\":\"BOOK-1\",\"quantity\":2}";
    try (JMSContext context =
        Names.lookup("jms/cf", ConnectionFactory.class)
            .createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      Message message = context.createTextMessage(json);
      message.setStringProperty("OutboxMessageId", id.toString());
      message.setStringProperty("OutboxEventType", "OrderPlaced");
      message.setLongProperty("number", 7);
      message.setBooleanProperty("urgent", true);
      message.setJMSCorrelationID("request-1");
      message.setJMSType("OrderPlaced");
      context.createProducer().setPriority(8).send(Names.lookup(queue, Queue.class), message);
    }

    eventually(() -> assertThat(script.received(json)).hasSize(1));
    CapturedMessage message = script.received(json).get(0);
    assertThat(message.id()).isEqualTo(id.toString());
    assertThat(message.consumer()).isEqualTo("capture");
    assertThat(message.payload(Order.class).sku).isEqualTo("BOOK-1");
    assertThat(message.payload(Order.class).quantity).isEqualTo(2);
    assertThat(message.properties()).containsEntry("number", 7L).containsEntry("urgent", true);
    assertThat(message.eventType()).contains("OrderPlaced");
    assertThat(message.correlationId()).contains("request-1");
    assertThat(message.type()).contains("OrderPlaced");
    assertThat(message.priority()).isEqualTo(8);
    assertThat(message.sentAt()).isPresent();
    assertThat(message.bytes()).isEmpty();
  }

  @Test
  void theReplyIsSentAfterTheHandlersTransaction() throws JMSException {
    UUID id = UUID.randomUUID();
    try (JMSContext context =
        Names.lookup("jms/cf", ConnectionFactory.class)
            .createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      TemporaryQueue replies = context.createTemporaryQueue();
      Message message = context.createTextMessage("question");
      message.setStringProperty("OutboxMessageId", id.toString());
      message.setJMSCorrelationID("question-1");
      message.setJMSReplyTo(replies);
      context.createProducer().send(Names.lookup(queue, Queue.class), message);

      Message reply = context.createConsumer(replies).receive(20_000);
      assertThat(reply).isNotNull();
      assertThat(reply.getBody(String.class)).isEqualTo("handled question");
      assertThat(reply.getJMSCorrelationID()).isEqualTo("question-1");
    }
    isHandledOnce(id, "question");
    assertThat(now().skipped()).isEqualTo(before.skipped());
  }
}
