package io.postbox.it.early;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.GapFilter;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.SkippedGaps;
import io.postbox.inbox.VersionGaps;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same on each database. A failed message is retried after an hour: so none has failed. */
abstract class EarlyTests {
  private static final int VERSIONS = 20;

  private final TestApplication application = TestApplication.of(getClass());
  private final String run = UUID.randomUUID().toString().substring(0, 8);

  @Inject ParkedMessages parked;
  @Inject InboxStatistics inbox;
  @Inject VersionGaps gaps;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.inbox.connection-factory",
            "jms/cf",
            "postbox.inbox.backoff.first",
            "1h",
            "postbox.inbox.backoff.max",
            "1h",
            "postbox.inbox.consumer.early.order",
            "version",
            "postbox.inbox.consumer.early.order.longest-gap",
            "1s",
            "postbox.inbox.consumer.early-captured.order",
            "version",
            "postbox.inbox.consumer.early-full.order",
            "version",
            "postbox.inbox.consumer.early-full.early.limit",
            "1",
            "postbox.inbox.consumer.early-stuck.order",
            "version",
            "postbox.inbox.consumer.early-stuck.retry-destination",
            "jms/" + it.service() + "-back"));
  }

  @BeforeEach
  void makeTable() {
    EarlySeen.database()
        .run(
            """
            CREATE TABLE IF NOT EXISTS early_seen (service VARCHAR(100), consumer VARCHAR(100),
              aggregate VARCHAR(100), place INTEGER, version BIGINT, CONSTRAINT early_seen_pk
              PRIMARY KEY (service, consumer, aggregate, place))
            """);
  }

  @Test
  void versionsInReverseOrderAreHandledInOrderAtOnce() {
    reverse("early", "");
  }

  /** The versions of an aggregate have one ordering key: an early one must not hold it. */
  @Test
  void soAreCapturedOnes() {
    reverse("early-captured", "-captured");
    assertThat(
            application
                .database()
                .column(
                    "SELECT status FROM %sinbox_stored WHERE captured"
                        .formatted(application.prefix())))
        .isEmpty();
  }

  private void reverse(String consumer, String queue) {
    for (long version = VERSIONS; version >= 1; version--) {
      for (String aggregate : List.of("a", "b", "c")) {
        send(queue, aggregate, version, "");
      }
    }
    for (String aggregate : List.of("a", "b", "c")) {
      inOrder(consumer, aggregate, LongStream.rangeClosed(1, VERSIONS).toArray());
    }
    eventually(() -> assertThat(Broker.depth(application.queue() + queue)).isZero());
    assertThat(stored(consumer)).isEmpty();
  }

  @Test
  void aBufferedMessageIsCountedAndIsNoneForAPerson() {
    send("", "counted", 3, "");
    eventually(() -> assertThat(buffered("early")).isOne());
    send("", "counted", 3, "");
    send("", "counted", 2, "other content");
    send("", "counted", 2, "");

    eventually(() -> assertThat(buffered("early")).isEqualTo(3));
    assertThat(parked.plan(KeptFilter.all().consumer("early")).messages()).isZero();
    send("", "counted", 1, "");

    inOrder("early", "counted", 1, 2, 3);
    eventually(() -> assertThat(stored("early")).containsExactly("SAME_VERSION"));
    EarlySeen.database()
        .run("DELETE FROM %sinbox_stored WHERE consumer = 'early'".formatted(application.prefix()));
  }

  @Test
  void messagesForWhichTheBufferIsFullAreParkedAndReleasedInOrder() {
    send("-full", "missing", 4, "");
    eventually(() -> assertThat(stored("early-full")).containsExactly("EARLY"));
    for (long version = 3; version >= 2; version--) {
      send("-full", "missing", version, "");
    }
    eventually(
        () ->
            assertThat(stored("early-full"))
                .containsExactlyInAnyOrder("EARLY", "VERSION_MISSING", "VERSION_MISSING"));
    send("-full", "missing", 1, "");

    inOrder("early-full", "missing", 1, 2, 3, 4);
    eventually(() -> assertThat(stored("early-full")).isEmpty());
  }

  @Test
  void aDiscardThatClosesAGapReleasesWhatIsBehindIt() {
    for (long version : List.of(4L, 3L)) {
      send("", "discarded", version, "");
    }
    send("", "discarded", 1, "");
    inOrder("early", "discarded", 1);
    eventually(() -> assertThat(buffered("early")).isEqualTo(2));
    parked.discard(
        parked.plan(
            KeptFilter.all()
                .reason("EARLY")
                .aggregate("Order", run + "discarded")
                .messageId(id("discarded", 3, "").toString())),
        "nobody needs it");
    send("", "discarded", 2, "");

    inOrder("early", "discarded", 1, 2, 4);
  }

  @Test
  void aGapIsReportedAndSkippedByAPlan() {
    for (long version : List.of(1L, 5L, 6L)) {
      send("", "gap", version, "");
    }
    inOrder("early", "gap", 1);
    GapFilter filter = GapFilter.all().consumer("early").aggregate("Order", run + "gap");
    eventually(() -> assertThat(gaps.find(filter, "", 10).items()).hasSize(1));
    eventually(() -> assertThat(buffered("early")).isEqualTo(2));
    assertThat(gaps.find(filter, "", 10).items().get(0).missingVersions()).isEqualTo("2 to 4");
    eventually(
        () ->
            assertThat(Log.ofServer().lines("IBX0224", "'early'", run + "gap", "2 to 4"))
                .isNotEmpty());
    eventually(
        () -> {
          List<String> metrics = Endpoint.metrics(Integer.parseInt(Names.variable("http.port")));
          String[] tags = {"service=\"" + application.service() + "\"", "consumer=\"early\""};
          assertThat(Endpoint.value(metrics, "postbox_inbox_buffered", tags)).isEqualTo(2);
          assertThat(Endpoint.value(metrics, "postbox_inbox_version_gaps", tags)).isEqualTo(1);
        });

    assertThat(gaps.skip(gaps.plan(filter).token().id(), "the sender lost them"))
        .isEqualTo(new SkippedGaps(1, 0));
    inOrder("early", "gap", 1, 5, 6);
    send("", "gap", 3, "");

    eventually(
        () ->
            assertThat(
                    application
                        .database()
                        .column(
                            "SELECT outcome FROM %sinbox_message WHERE message_id = ?"
                                .formatted(application.prefix()),
                            id("gap", 3, "").toString()))
                .containsExactly("STALE"));
    assertThat(gaps.find(filter, "", 10).items()).isEmpty();
  }

  @Test
  void aReleaseIsRepeatedUntilTheBrokerTakesIt() throws NamingException {
    send("-stuck", "stuck", 2, "");
    eventually(() -> assertThat(buffered("early-stuck")).isOne());
    send("-stuck", "stuck", 1, "");
    inOrder("early-stuck", "stuck", 1);
    eventually(() -> assertThat(Log.ofServer().lines("IBX0220", "'early-stuck'")).isNotEmpty());
    assertThat(stored("early-stuck")).hasSize(1);

    new InitialContext()
        .rebind(
            application.queue() + "-back",
            Names.lookup(application.queue() + "-stuck", Queue.class));

    inOrder("early-stuck", "stuck", 1, 2);
    eventually(() -> assertThat(Log.ofServer().lines("IBX0221", "'early-stuck'")).isNotEmpty());
  }

  private long buffered(String consumer) {
    return inbox.byConsumer().stream()
        .filter(it -> it.consumer().equals(consumer))
        .mapToLong(InboxStatistics.ConsumerStatistics::buffered)
        .sum();
  }

  /** The reasons of what is stored. */
  private List<String> stored(String consumer) {
    return application
        .database()
        .column(
            "SELECT reason FROM %sinbox_stored WHERE consumer = ?".formatted(application.prefix()),
            consumer);
  }

  private void inOrder(String consumer, String aggregate, long... versions) {
    List<String> expected = new ArrayList<>();
    LongStream.of(versions).mapToObj(String::valueOf).forEach(expected::add);
    eventually(
        () ->
            assertThat(
                    application
                        .database()
                        .column(
                            "SELECT version FROM early_seen WHERE service = ? AND consumer = ?"
                                + " AND aggregate = ? ORDER BY place",
                            application.service(),
                            consumer,
                            run + aggregate))
                .isEqualTo(expected));
  }

  private UUID id(String aggregate, long version, String body) {
    return UUID.nameUUIDFromBytes((run + aggregate + "@" + version + body).getBytes());
  }

  private void send(String queue, String aggregate, long version, String body) {
    try (JMSContext context =
        Names.lookup("jms/cf", ConnectionFactory.class)
            .createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      Message message = context.createTextMessage("version " + version + body);
      message.setStringProperty("OutboxMessageId", id(aggregate, version, body).toString());
      message.setStringProperty("OutboxAggregateType", "Order");
      message.setStringProperty("OutboxAggregateId", run + aggregate);
      message.setLongProperty("OutboxAggregateVersion", version);
      message.setStringProperty("JMSXGroupID", "Order/" + run + aggregate);
      context
          .createProducer()
          .send(Names.lookup(application.queue() + queue, Queue.class), message);
    } catch (JMSException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
