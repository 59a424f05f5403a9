package io.postbox.it.kept;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.AuditFilter;
import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.Page;
import io.postbox.common.RedrivePace;
import io.postbox.common.RetryPolicy;
import io.postbox.common.RuntimePolicy;
import io.postbox.inbox.FailureHistory;
import io.postbox.inbox.FoundMessage.Outcome;
import io.postbox.inbox.InboxActions;
import io.postbox.inbox.InboxAudit;
import io.postbox.inbox.InboxPolicies;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.MessageLife.Event;
import io.postbox.inbox.MessageLife.Kind;
import io.postbox.inbox.MessageLookup;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.Redriven.Refusal;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same on each database; each test class deploys the application on another one. */
abstract class KeptTests {
  private static final KeptFilter ALL = KeptFilter.all();

  private final TestApplication application = TestApplication.of(getClass());
  private final String service = application.service();
  private final String queue = application.queue();
  private final String prefix = application.prefix();

  @Inject Desk desk;
  @Inject Operator operator;
  @Inject ParkedMessages parked;
  @Inject QuarantinedMessages quarantined;
  @Inject InboxStatistics statistics;
  @Inject FailureHistory history;
  @Inject MessageLookup lookup;
  @Inject InboxAudit trail;
  @Inject InboxActions actions;
  @Inject InboxPolicies policies;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.inbox.consumer.elsewhere.retry-destination",
            "jms/captured",
            "postbox.encryption",
            "required"));
  }

  @BeforeEach
  void nothingIsLeft() {
    for (String table : List.of("inbox_stored", "inbox_policy", "postbox_audit")) {
      database().run("DELETE FROM " + prefix + table);
    }
    Broker.drain("jms/captured");
  }

  Database database() {
    return application.database();
  }

  String table(String name) {
    return prefix + name;
  }

  /** By a handler that rejects it. */
  KeptMessage park(UUID id, String text) {
    desk.reject(text);
    Broker.send(queue, id, text, 1);
    eventually(() -> assertThat(find(id)).hasSize(1));
    return find(id).get(0);
  }

  private List<KeptMessage> find(UUID id) {
    return parked.find(ALL.messageId(id.toString()), Page.first(10));
  }

  private List<String> audit() {
    return database()
        .column(
            "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages FROM %s"
                .formatted(table("postbox_audit")));
  }

  long skipped() {
    return count(ConsumerStatistics::skipped);
  }

  private long count(ToLongFunction<ConsumerStatistics> number) {
    return statistics.byConsumer().stream()
        .filter(each -> each.consumer().equals("kept"))
        .mapToLong(number)
        .sum();
  }

  @Test
  void aParkedMessageThatIsRedrivenIsHandledOnce() {
    UUID id = UUID.randomUUID();
    KeptMessage message = park(id, "mended");
    assertThat(message.reason()).isEqualTo("REJECTED");
    assertThat(message.error())
        .as("beside a cipher only the class is stored")
        .isEqualTo("io.postbox.inbox.RejectedMessageException");
    assertThat(message.encrypted()).isTrue();
    assertThat(parked.payload(message.id()).orElseThrow().text()).contains("mended");
    desk.mend("mended");

    assertThat(operator.redriveAndRollBack(id.toString(), "mended it"))
        .isEqualTo(new Redriven(1, 0, List.of()));
    eventually(() -> assertThat(desk.handled("mended")).isOne());
    assertThat(parked.get(message.id())).isEmpty();
    assertThat(
            database()
                .value(
                    "SELECT COUNT(*) FROM %s WHERE message_id = ? AND NOT redriven"
                        .formatted(table("inbox_failure")),
                    id.toString()))
        .isEqualTo("0");
    assertThat(history.of(message.consumer(), id.toString()))
        .as("what happened before stays on record, beside a cipher without the message")
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.redriven()).isTrue();
              assertThat(failure.node()).isNotEmpty();
              assertThat(failure.errorClass())
                  .isEqualTo("io.postbox.inbox.RejectedMessageException");
              assertThat(failure.frame()).startsWith("io.postbox.it.kept.");
            });
    eventually(
        () ->
            assertThat(lookup.handled(message.consumer(), id.toString()))
                .hasValueSatisfying(
                    done -> assertThat(done.outcome()).contains(Outcome.PROCESSED)));
    assertThat(lookup.life(id.toString()).events())
        .extracting(Event::kind)
        .containsExactly(Kind.FAILED, Kind.PROCESSED);
    assertThat(trail.find(AuditFilter.all().action("redrive"), "", 9).items())
        .singleElement()
        .satisfies(entry -> assertThat(entry.messages()).isOne());
    assertThat(audit())
        .containsExactlyInAnyOrder("view-payload unknown seen 1", "redrive unknown mended it 1");
  }

  @Test
  void inTheBackgroundAParkedMessageIsHandledOnceToo() {
    UUID id = UUID.randomUUID();
    park(id, "mended later");
    desk.mend("mended later");

    OperatorAction started =
        actions.redrive(parked.plan(ALL.messageId(id.toString())).token().id(), "mended it");
    eventually(() -> assertThat(desk.handled("mended later")).isOne());
    eventually(
        () ->
            assertThat(actions.get(started.id()))
                .hasValueSatisfying(
                    action ->
                        assertThat(action)
                            .returns(State.DONE, OperatorAction::state)
                            .returns(1L, OperatorAction::done)
                            .returns(0L, OperatorAction::failures)));
    assertThat(find(id)).isEmpty();
    assertThat(actions.cancel(started.id(), "too late")).isFalse();
    assertThat(audit()).containsExactly("redrive unknown mended it 1");
  }

  @Test
  void anEditedMessageIsHandledUnderItsIdAndALateCopyOfTheOldOneIsNot() {
    UUID id = UUID.randomUUID();
    KeptMessage message = park(id, "misspelt");
    MessageEdit edit = MessageEdit.text("spelt").properties(Map.of("region", "north"));

    EditPreview<KeptMessage> preview = parked.preview(message.id(), edit).orElseThrow();
    assertThat(preview.before().sha256()).isNotEqualTo(preview.after().sha256());
    assertThat(preview.after().properties()).contains("region", "OutboxMessageId");
    assertThat(parked.edit(message.id(), edit, "OPS-17")).isTrue();
    assertThat(parked.payload(message.id()).orElseThrow().text()).contains("spelt");
    assertThat(parked.payload(message.id()).orElseThrow().properties())
        .contains("\"region\":\"string:north\"");
    assertThat(parked.get(message.id()).orElseThrow().fingerprint())
        .isEqualTo(message.fingerprint());

    actions.redrive(
        parked.plan(ALL.messageId(id.toString())).token().id(),
        ReplyOnRedrive.KEEP,
        RedrivePace.FASTEST.atRate(5).first(1),
        "mended it");
    eventually(() -> assertThat(desk.handled("spelt")).isOne());
    eventually(
        () ->
            assertThat(actions.list(1)).singleElement().returns(State.DONE, OperatorAction::state));
    assertThat(lookup.handled("kept", id.toString())).isPresent();
    desk.mend("misspelt");
    Broker.send(queue, id, "misspelt", 1);
    eventually(
        () ->
            assertThat(quarantined.find(ALL.messageId(id.toString()), Page.first(10))).hasSize(1));
    assertThat(desk.handled("misspelt")).isZero();
    assertThat(desk.handled("spelt")).isOne();
    assertThat(parked.edit(message.id(), edit, "late")).isFalse();
    assertThat(audit()).contains("edit unknown OPS-17 1");
  }

  @Test
  void theFirstThatFailsAgainStopsTheOthers() {
    UUID first = UUID.randomUUID();
    UUID second = UUID.randomUUID();
    park(first, "still bad");
    park(second, "good by now");
    desk.mend("good by now");

    OperatorAction started =
        actions.redrive(
            parked.plan(ALL).token().id(),
            ReplyOnRedrive.KEEP,
            RedrivePace.FASTEST.first(1),
            "try one");
    eventually(
        () ->
            assertThat(actions.get(started.id()).orElseThrow())
                .returns(State.PAUSED, OperatorAction::state)
                .returns(1L, OperatorAction::done));
    assertThat(desk.handled("good by now")).isZero();
    desk.mend("still bad");
    assertThat(actions.resume(started.id(), "mended")).isTrue();
    eventually(() -> assertThat(desk.handled("good by now")).isOne());
  }

  @Test
  void aPolicyIsInEffectAtOnceThoughTheCallerRollsBack() {
    operator.setPolicyAndRollBack("kept", RetryPolicy.asConfigured().maxAttempts(1), "hopeless");
    UUID id = UUID.randomUUID();
    desk.stumble("tried once");
    Broker.send(queue, id, "tried once", 1);
    eventually(
        () ->
            assertThat(find(id))
                .singleElement()
                .satisfies(message -> assertThat(message.reason()).isEqualTo("TOO_MANY_FAILURES")));
    assertThat(find(id).get(0).attempts()).isOne();
    assertThat(policies.list())
        .singleElement()
        .satisfies(
            set ->
                assertThat(set)
                    .returns("kept", RuntimePolicy::name)
                    .returns("unknown", RuntimePolicy::principal)
                    .returns("hopeless", RuntimePolicy::reason));
    assertThat(policies.reset("kept", "hope")).isTrue();
    assertThat(audit())
        .containsExactlyInAnyOrder("set-policy unknown hopeless 0", "end-policy unknown hope 0");
  }

  @Test
  void aPolicyOfAnotherNodeIsFollowedWithinSeconds() {
    UUID id = UUID.randomUUID();
    desk.stumble("tried more often");
    Broker.send(queue, id, "tried more often", 1);
    eventually(() -> assertThat(history.of("kept", id.toString())).isNotEmpty());
    database()
        .run(
            "INSERT INTO %s (consumer, max_attempts, reason, principal) VALUES ('kept', 1, 'x', 'bob')"
                .formatted(table("inbox_policy")));
    eventually(
        () ->
            assertThat(find(id))
                .singleElement()
                .satisfies(
                    message ->
                        assertThat(message.attempts())
                            .as("by the configuration it would have ten")
                            .isBetween(1, 6)));
    assertThat(policies.reset("kept", "x")).isTrue();
  }

  @Test
  void aMessageWhoseCopyWasHandledMeanwhileIsSkipped() {
    UUID id = UUID.randomUUID();
    park(id, "copied");
    desk.mend("copied");
    Broker.send(queue, id, "copied", 1);
    eventually(() -> assertThat(desk.handled("copied")).isOne());
    long skipped = skipped();

    assertThat(operator.redriveAndRollBack(id.toString(), "x").messages()).isOne();
    eventually(() -> assertThat(skipped()).isEqualTo(skipped + 1));
    assertThat(desk.handled("copied")).isOne();
    assertThat(find(id)).isEmpty();
  }

  @Test
  void aLateCopyOfADiscardedMessageIsSkipped() {
    UUID id = UUID.randomUUID();
    park(id, "given up");
    desk.mend("given up");
    assertThat(operator.discard(id.toString(), "sent by hand")).isOne();
    long skipped = skipped();

    Broker.send(queue, id, "given up", 1);
    eventually(() -> assertThat(skipped()).isEqualTo(skipped + 1));
    assertThat(desk.handled("given up")).isZero();
    assertThat(find(id)).isEmpty();
  }

  @Test
  void aMessageThatIsRejectedAgainIsParkedAgain() {
    UUID id = UUID.randomUUID();
    KeptMessage first = park(id, "hopeless");
    assertThat(operator.redriveAndRollBack(id.toString(), "x").messages()).isOne();
    eventually(
        () ->
            assertThat(find(id))
                .singleElement()
                .satisfies(
                    again -> {
                      assertThat(again.id()).as("its row").isEqualTo(first.id());
                      assertThat(again.keptAt()).isAfter(first.keptAt());
                    }));
  }

  @Test
  void anUnsendableMessageStays() {
    UUID id = UUID.randomUUID();
    long row = park(id, "homeless").id();
    for (String destination : new String[] {null, "queue:NO-SUCH-QUEUE"}) {
      database()
          .run(
              "UPDATE %s SET destination = ?".formatted(table("inbox_stored")),
              (Object) destination);
      Redriven redriven = parked.redrive(parked.plan(ALL), "x");
      assertThat(redriven.messages()).isZero();
      assertThat(redriven.refusals()).extracting(Refusal::id).containsExactly(row);
      assertThat(redriven.refusals().get(0).reason())
          .contains(
              destination == null ? "its original destination is unknown" : "InvalidDestination");
    }
    assertThat(parked.get(row)).isPresent();
    assertThat(audit()).containsExactly("redrive unknown x 0", "redrive unknown x 0");
  }

  @Test
  void aReleasedMessageIsHandledUnderANewId() {
    Broker.sendWithoutId(queue, "nameless");
    eventually(() -> assertThat(quarantined.plan(ALL).messages()).isOne());
    KeptMessage message = quarantined.find(ALL, Page.first(1)).get(0);
    assertThat(message.reason()).isEqualTo("MISSING_ID");
    assertThat(message.encrypted()).isTrue();
    assertThat(database().value("SELECT payload_text FROM %s".formatted(table("inbox_stored"))))
        .isNull();
    assertThat(quarantined.payload(message.id()).orElseThrow().text()).contains("nameless");

    assertThat(quarantined.redrive(quarantined.plan(ALL), "it is ours").messages()).isOne();
    eventually(() -> assertThat(desk.handled("nameless")).isOne());
    assertThat(quarantined.find(ALL, Page.first(1))).isEmpty();
    eventually( // the handler was there before the commit
        () ->
            assertThat(
                    database()
                        .column("SELECT message_id FROM %s".formatted(table("inbox_message"))))
                .anyMatch(newId -> newId.matches("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f-]+")));
    assertThat(audit())
        .containsExactlyInAnyOrder("view-payload unknown seen 1", "redrive unknown it is ours 1");
  }

  @Test
  void everyKindOfMessageIsSentAsItWas() throws JMSException {
    String captured = Names.lookup("jms/captured", Queue.class).getQueueName();
    try (JMSContext context =
        Names.lookup("jms/cf", ConnectionFactory.class)
            .createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      Queue to = Names.lookup(queue, Queue.class);
      TextMessage nul = context.createTextMessage("a\0ü");
      nul.setBooleanProperty("flag", true);
      nul.setByteProperty("byte", (byte) 1);
      nul.setShortProperty("short", (short) 2);
      nul.setIntProperty("int", 3);
      nul.setLongProperty("long", 4);
      nul.setFloatProperty("float", 5.5f);
      nul.setDoubleProperty("double", 6.5);
      nul.setStringProperty("string", "höhö");
      nul.setStringProperty("JMSXGroupID", "group");
      nul.setIntProperty("InboxAttempt", 3);
      nul.setJMSCorrelationID("correlation");
      nul.setJMSType("type");
      nul.setJMSReplyTo(Names.lookup("jms/replies", Queue.class));
      context.createProducer().setPriority(7).send(to, nul);
      BytesMessage bytes = context.createBytesMessage();
      bytes.writeBytes(new byte[] {0, 1, -1});
      context.createProducer().send(to, bytes);
      MapMessage map = context.createMapMessage();
      map.setString("text", "ü");
      map.setChar("char", 'c');
      map.setBytes("bytes", new byte[] {1});
      map.setObject("nothing", null);
      context.createProducer().send(to, map);
      StreamMessage stream = context.createStreamMessage();
      stream.writeInt(1);
      stream.writeString("two");
      context.createProducer().send(to, stream);
      context.createProducer().send(to, context.createMessage());
    }
    eventually(() -> assertThat(quarantined.plan(ALL).messages()).isEqualTo(5));
    database()
        .run("UPDATE %s SET destination = ?".formatted(table("inbox_stored")), "queue:" + captured);
    assertThat(quarantined.find(ALL, Page.first(10)))
        .extracting(KeptMessage::bodyType)
        .containsExactlyInAnyOrder("TEXT_UTF16", "BYTES", "MAP", "STREAM", "NONE");
    assertThat(quarantined.redrive(quarantined.plan(ALL), "to another queue"))
        .isEqualTo(new Redriven(5, 0, List.of()));
    eventually(() -> assertThat(count(ConsumerStatistics::handedBack)).isEqualTo(5));

    for (Message message : Broker.receive("jms/captured", 5)) {
      assertThat(UUID.fromString(message.getStringProperty("OutboxMessageId")).version())
          .as("8, derived from the JMSMessageID: that of the text is not taken for a copy's")
          .isEqualTo(8);
      assertThat(message.getJMSDeliveryMode()).isEqualTo(jakarta.jms.DeliveryMode.PERSISTENT);
      if (message instanceof TextMessage text) {
        assertThat(text.getText()).isEqualTo("a\0ü");
        assertProperties(text);
      } else if (message instanceof BytesMessage bytes) {
        byte[] read = new byte[(int) bytes.getBodyLength()];
        bytes.readBytes(read);
        assertThat(read).containsExactly(0, 1, -1);
      } else if (message instanceof MapMessage map) {
        assertThat(map.getObject("text")).isEqualTo("ü");
        assertThat(map.getObject("char")).isEqualTo('c');
        assertThat(map.getBytes("bytes")).containsExactly(1);
        assertThat(map.itemExists("nothing")).isTrue();
        assertThat(map.getObject("nothing")).isNull();
      } else if (message instanceof StreamMessage stream) {
        assertThat(stream.readObject()).isEqualTo(1);
        assertThat(stream.readObject()).isEqualTo("two");
      }
    }
  }

  private static void assertProperties(TextMessage message) throws JMSException {
    assertThat(message.getObjectProperty("flag")).isEqualTo(true);
    assertThat(message.getObjectProperty("byte")).isEqualTo((byte) 1);
    assertThat(message.getObjectProperty("short")).isEqualTo((short) 2);
    assertThat(message.getObjectProperty("int")).isEqualTo(3);
    assertThat(message.getObjectProperty("long")).isEqualTo(4L);
    assertThat(message.getObjectProperty("float")).isEqualTo(5.5f);
    assertThat(message.getObjectProperty("double")).isEqualTo(6.5);
    assertThat(message.getObjectProperty("string")).isEqualTo("höhö");
    assertThat(message.getObjectProperty("JMSXGroupID")).isEqualTo("group");
    assertThat(message.getIntProperty("InboxAttempt")).as("the inbox's own").isZero();
    assertThat(message.getJMSCorrelationID()).isEqualTo("correlation");
    assertThat(message.getJMSType()).isEqualTo("type");
    assertThat(message.getJMSPriority()).isEqualTo(7);
    assertThat(((Queue) message.getJMSReplyTo()).getQueueName()).isEqualTo("REPLIES");
  }

  @Test
  void theUserIsOnRecord() {
    long row = park(UUID.randomUUID(), "to be discarded").id();
    for (String copy : List.of("by-page", "by-bean", "by-nobody")) {
      database()
          .run(
              """
              INSERT INTO %1$s
                (consumer, message_id, status, captured, reason, error, attempts, fingerprint,
                 fingerprint_version, precedence, headers, size, body_type, properties, kept_at)
              SELECT consumer, ?, status, captured, reason, error, attempts, fingerprint,
                fingerprint_version, precedence, headers, size, 'NONE', properties, kept_at
              FROM %1$s WHERE id = ?
              """
                  .formatted(table("inbox_stored")),
              copy,
              row);
    }
    int port = Integer.parseInt(Names.variable("http.port"));
    assertThat(Endpoint.get(port, "/" + service + "/discard").body()).isEqualTo("done");
    assertThat(audit())
        .containsExactlyInAnyOrder(
            "discard ada by page 1", "discard ada by bean 1", "discard unknown by nobody 1");
  }

  @Test
  void nobodyCarriesOutThePlanOfSomebodyElse() {
    UUID id = UUID.randomUUID();
    park(id, "plan");
    int port = Integer.parseInt(Names.variable("http.port"));
    assertThat(Endpoint.get(port, "/" + service + "/discard?foreign=" + id).body())
        .contains("was made by another principal");
    assertThat(find(id)).hasSize(1);
    assertThat(audit()).isEmpty();
  }
}
