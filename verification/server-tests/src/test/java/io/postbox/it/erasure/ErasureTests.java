package io.postbox.it.erasure;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.Erasure;
import io.postbox.common.ErasurePlan;
import io.postbox.common.ErasurePlan.Found;
import io.postbox.common.ErasureTarget;
import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.testing.MarkerSearch;
import io.postbox.inbox.CaptureControl;
import io.postbox.inbox.InboxErasure;
import io.postbox.inbox.InboxStatistics;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.TestApplication;
import io.postbox.outbox.MessageLife.Event;
import io.postbox.outbox.MessageLife.Kind;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.OutboxErasure;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.RelayControl;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.List;
import java.util.SortedSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.junit.jupiter.api.Test;

/** The same on each database. */
abstract class ErasureTests {
  private static final String PERSON = "pErSoN-4711";
  private static final String OTHER = "somebody else";

  private final TestApplication application = TestApplication.of(getClass());
  private final String service = application.service();
  private final Pattern ours = Pattern.compile(application.prefix() + ".*");

  @Inject Sender sender;
  @Inject Diary diary;
  @Inject RelayControl relay;
  @Inject CaptureControl captured;
  @Inject OutboxErasure outbox;
  @Inject InboxErasure inbox;
  @Inject MessageLookup lookup;
  @Inject InboxStatistics statistics;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
            it.test(),
            it.service(),
            Archives.settings(
                it,
                "postbox.outbox.after-sending",
                "archive",
                "postbox.inbox.connection-factory",
                "jms/cf",
                "postbox.inbox.backoff.first",
                "50ms",
                "postbox.data-subject-secret",
                "0123456789abcdef0123456789abcdef"))
        .addAsLibrary(
            ShrinkWrap.create(JavaArchive.class, "search.jar").addClass(MarkerSearch.class));
  }

  private OutboxMessage message(String destination, String text) {
    return OutboxMessage.to(destination)
        .event("Told")
        .aggregate("Person", text.endsWith(PERSON) ? PERSON : "17")
        .dataSubject(text.endsWith(PERSON) ? PERSON : OTHER)
        .property("about", text)
        .correlationId(text)
        .text(text);
  }

  private SortedSet<String> whereIs(String text) {
    try {
      return MarkerSearch.in(application.database().dataSource(), text, ours);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private long count(String table, String condition) {
    return Long.parseLong(
        application
            .database()
            .value(
                "SELECT COUNT(*) FROM %s%s WHERE %s"
                    .formatted(application.prefix(), table, condition)));
  }

  private long skipped() {
    return statistics.byConsumer().stream().mapToLong(each -> each.skipped()).sum();
  }

  private void erase(Erasure erasure, Stream<String> places) {
    ErasurePlan plan = erasure.plan(ErasureTarget.dataSubject(PERSON));
    assertThat(plan.places())
        .filteredOn(found -> found.rows() > 0)
        .extracting(Found::place)
        .containsExactlyInAnyOrderElementsOf(places.toList());
    OperatorAction action = erasure.erase(plan.token().id(), PERSON + " has asked for it");
    eventually(
        () ->
            assertThat(erasure.report(action.id()).orElseThrow().action().state())
                .isEqualTo(State.DONE));
  }

  @Test
  void somebodyIsErasedInTheMiddleOfEverything() {
    relay.pause(service + "-stopped", "so that messages wait");
    captured.pause("later", "so that messages wait");
    UUID handled = sender.send(message(service, "hello " + PERSON));
    UUID rejected = sender.send(message(service, "reject " + PERSON));
    sender.send(message(service, "stumble over " + PERSON));
    sender.send(message(service + "-later", "remember " + PERSON));
    UUID dead = sender.send(message(service + "-stopped", "once " + PERSON));
    UUID waiting = sender.send(message(service + "-stopped", "wait for " + PERSON));
    for (String destination : List.of(service, service + "-later", service + "-stopped")) {
      sender.send(message(destination, "hello " + OTHER));
    }
    eventually(() -> assertThat(diary.handled()).hasSize(3));
    eventually(() -> assertThat(count("inbox_stored", "status = 'PARKED'")).isOne());
    eventually(() -> assertThat(count("inbox_stored", "captured")).isEqualTo(2));
    eventually(() -> assertThat(count("outbox_archive", "1 = 1")).isEqualTo(6));
    application
        .database()
        .run(
            "UPDATE %soutbox_message SET status = 'DEAD', last_error = ? WHERE id = ?"
                .formatted(application.prefix()),
            "refused " + PERSON,
            dead);
    assertThat(whereIs(PERSON)).hasSizeGreaterThan(19);
    assertThat(
            application
                .database()
                .column("SELECT reason FROM %sinbox_failure".formatted(application.prefix()))
                .toString())
        .contains(PERSON);

    erase(outbox, Stream.of("waiting", "dead-letters", "archive"));
    erase(inbox, Stream.of("captured", "parked", "handled", "failures"));

    assertThat(whereIs(PERSON)).isEmpty();
    assertThat(whereIs(OTHER)).isNotEmpty();
    assertThat(count("inbox_message", "message_id = '%s'".formatted(handled))).isOne();
    for (UUID id : List.of(waiting, dead)) {
      assertThat(lookup.life(id).events())
          .extracting(Event::kind)
          .containsExactly(Kind.ENQUEUED, Kind.DISCARDED, Kind.ERASED);
    }
    long before = skipped();
    Broker.send("jms/" + service, handled, "hello " + PERSON, 1);
    Broker.send("jms/" + service, rejected, "reject " + PERSON, 1);
    eventually(() -> assertThat(skipped() - before).as("duplicates").isEqualTo(2));

    relay.resume(service + "-stopped", "go on");
    captured.resume("later", "go on");
    eventually(() -> assertThat(diary.handled()).contains("later hello " + OTHER));
    eventually(() -> assertThat(count("outbox_message", "1 = 1")).isZero());
    assertThat(Broker.depth("jms/" + service + "-stopped")).as("sent at last").isOne();
    assertThat(diary.handled())
        .as("handled at all")
        .containsExactlyInAnyOrder(
            "greeted hello " + PERSON,
            "greeted stumble over " + PERSON,
            "greeted hello " + OTHER,
            "later hello " + OTHER);
    assertThat(whereIs(PERSON)).isEmpty();
  }
}
