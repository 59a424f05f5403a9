package io.postbox.it.backlog;

import static io.postbox.it.tools.Eventually.eventually;
import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.Paused;
import io.postbox.inbox.CaptureControl;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.MessageLife;
import io.postbox.inbox.MessageLookup;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same on each database. */
abstract class BacklogTests {
  private static final int LIMIT = 10;
  private static final int INSTANCES = 3;
  private static final Duration SEVERAL_COUNTS = Duration.ofSeconds(60);

  private final TestApplication application = TestApplication.of(getClass());
  private final String queue = application.queue();

  @Inject BacklogHandler handler;
  @Inject CaptureControl control;
  @Inject MessageLookup lookup;
  @Inject InboxStatistics statistics;

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
            "2",
            "postbox.inbox.consumer.backlog.capture.limit",
            String.valueOf(LIMIT),
            "postbox.inbox.consumer.backlog.capture.workers",
            "2"));
  }

  @AfterEach
  void letItGoOn() {
    handler.open();
  }

  private List<String> column(String sql, Object... parameters) {
    return application.database().column(sql.replace("%s", application.prefix()), parameters);
  }

  private int captured() {
    return column("SELECT id FROM %sinbox_stored").size();
  }

  private double metric(String name, String... tags) {
    List<String> all = Endpoint.metrics(Integer.parseInt(Names.variable("http.port")));
    String[] more =
        Stream.concat(Stream.of("service=\"" + application.service() + "\""), Stream.of(tags))
            .toArray(String[]::new);
    return Endpoint.value(all, "postbox_inbox_" + name, more);
  }

  @Test
  void aFullBacklogPausesTheEndpointAndItsMessagesStayWithTheBroker() {
    String run = UUID.randomUUID().toString();
    double capturedBefore = metric("captured_total");
    double failedBefore = metric("failures_total");
    List<String> texts = IntStream.range(0, 60).mapToObj(number -> run + number).toList();
    String endpoint = "#BacklogMdb is paused";
    int pausedBefore = lines("IBX0193", endpoint).size();
    handler.close();

    texts.forEach(text -> Broker.send(queue, UUID.randomUUID(), text, 1));
    eventually(() -> assertThat(lines("IBX0193", endpoint)).hasSize(pausedBefore + 1));
    eventually(() -> assertThat(captured() + Broker.depth(queue)).isEqualTo(60));
    assertThat(captured()).isBetween(LIMIT, LIMIT + 2 * INSTANCES);
    patience(SEVERAL_COUNTS)
        .untilAsserted(
            () ->
                assertThat(metric("captured_messages", "status=\"pending\""))
                    .isEqualTo(captured()));
    assertThat(metric("capture_full")).isOne();
    patience(SEVERAL_COUNTS)
        .untilAsserted(() -> assertThat(metric("oldest_captured_seconds")).isPositive());
    assertThat(captured()).as("no more came").isBetween(LIMIT, LIMIT + 2 * INSTANCES);

    handler.open();
    patience(SEVERAL_COUNTS).untilAsserted(() -> assertThat(handler.handled()).containsAll(texts));
    eventually(() -> assertThat(captured()).isZero());
    assertThat(handler.handled()).doesNotHaveDuplicates();
    assertThat(Broker.depth(queue)).isZero();
    eventually(() -> assertThat(metric("capture_full")).isZero());
    assertThat(lines("IBX0194", "#BacklogMdb")).isNotEmpty();
    assertThat(metric("captured_total") - capturedBefore).isEqualTo(60);
    assertThat(metric("failures_total") - failedBefore).as("nothing was rolled back").isZero();
    patience(SEVERAL_COUNTS)
        .untilAsserted(
            () -> assertThat(metric("captured_messages", "status=\"pending\"")).isZero());
  }

  @Test
  void aPausedConsumersMessagesAreCapturedAndHandledAfterItIsResumed() {
    String running = "running " + UUID.randomUUID();
    String waiting = "waiting " + UUID.randomUUID();
    handler.close();
    Broker.send(queue, UUID.randomUUID(), running, 1);
    eventually(() -> assertThat(handler.running()).contains(running));

    assertThat(control.pause("backlog", "the carrier is down")).isTrue();
    assertThat(control.pause("backlog", "another reason")).isFalse();
    Broker.send(queue, UUID.randomUUID(), waiting, 1);
    handler.open();
    eventually(() -> assertThat(handler.handled()).contains(running));
    eventually(() -> assertThat(captured()).isOne());
    patience(SEVERAL_COUNTS).untilAsserted(() -> assertThat(metric("handling_paused")).isOne());
    assertThat(handler.handled()).doesNotContain(waiting);
    assertThat(column("SELECT status FROM %sinbox_stored")).containsExactly("PENDING");
    assertThat(control.paused())
        .singleElement()
        .extracting(Paused::name, Paused::reason, Paused::principal)
        .containsExactly("backlog", "the carrier is down", "unknown");
    assertThat(health()).contains("paused: backlog", "IBX0195");
    assertThat(statistics.byConsumer())
        .singleElement()
        .extracting(consumer -> consumer.captured().orElseThrow().pending())
        .isEqualTo(1L);

    assertThat(control.resume("backlog", "it is back")).isTrue();
    eventually(() -> assertThat(handler.handled()).contains(waiting));
    eventually(() -> assertThat(captured()).isZero());
    assertThat(control.paused()).isEmpty();
    assertThat(
            column(
                "SELECT action FROM %spostbox_audit WHERE subject = 'backlog' AND reason IN"
                    + " ('the carrier is down', 'it is back') ORDER BY at"))
        .containsExactly("pause", "resume");
    patience(SEVERAL_COUNTS).untilAsserted(() -> assertThat(metric("handling_paused")).isZero());
    assertThat(health()).doesNotContain("paused: backlog");
  }

  @Test
  void aCapturedMessageIsFoundWithWhatItWaitsForUntilItIsHandled() {
    UUID id = UUID.randomUUID();
    handler.close();
    Broker.send(queue, id, "found " + id, 1);
    eventually(() -> assertThat(handler.running()).contains("found " + id));

    FoundMessage found =
        lookup.find(LookupFilter.all().messageId(id.toString()), "", 10).items().get(0);
    assertThat(found.place()).isEqualTo(Place.CAPTURED);
    assertThat(found.status()).contains(FoundMessage.Status.PENDING);
    assertThat(found.attempts()).hasValue(0);
    assertThat(lookup.handled("backlog", id.toString())).isEmpty();
    assertThat(lookup.life(id.toString()).events())
        .extracting(MessageLife.Event::kind)
        .containsExactly(MessageLife.Kind.CAPTURED);

    handler.open();
    eventually(() -> assertThat(lookup.handled("backlog", id.toString())).isPresent());
    assertThat(lookup.find(LookupFilter.all().messageId(id.toString()), "", 10).items())
        .extracting(FoundMessage::place)
        .containsExactly(Place.HANDLED);
  }

  private static String health() {
    return Endpoint.get(Integer.parseInt(Names.variable("http.port")), "/health/ready").body();
  }

  private List<String> lines(String... parts) {
    String[] all =
        Stream.concat(Stream.of(parts), Stream.of(application.service() + "#"))
            .toArray(String[]::new);
    return Log.ofServer().lines(all);
  }
}
