package io.postbox.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.RedrivePace;
import io.postbox.common.store.Sql;
import io.postbox.common.testing.TestPostgres;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.ops.BackgroundActions;
import io.postbox.inbox.ops.KeptQueries;
import io.postbox.inbox.ops.KeptSender;
import io.postbox.inbox.ops.Outgoing;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.outbox.OutboxMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A quarantined message that is redriven under a new id, and whose handler then fails. */
class RedriveUnderNewIdTest {
  private static final String ID = "OutboxMessageId";
  private static final KeptFilter ALL = KeptFilter.all();

  private final List<String> handled = Collections.synchronizedList(new ArrayList<>());
  private boolean isBroken = true;
  private boolean isRejected = true;
  private boolean isRetried;

  @Inbox("shipping")
  final class Noting implements MessageListener {
    @Override
    public void onMessage(Message message) {
      try {
        String body = message.getBody(String.class);
        if (isBroken && body.startsWith("B")) {
          throw isRejected
              ? new RejectedMessageException("no stock")
              : new IllegalStateException("no stock yet");
        }
        handled.add(body);
      } catch (JMSException unreadable) {
        throw new IllegalStateException(unreadable);
      }
    }
  }

  /** The copies come with the next look for those that have not come. */
  private static final class Losing implements KeptSender {
    @Override
    public void send(Outgoing outgoing) {}

    @Override
    public Optional<String> firstId(String properties) {
      return Optional.empty();
    }
  }

  private static Message message(InboxHarness inbox, String body) {
    return inbox.environment().outbox().message(OutboxMessage.to("shipping").text(body));
  }

  private static BackgroundActions node(InboxHarness inbox) {
    InboxDatabase database = inbox.environment().inbox();
    return new BackgroundActions(
        database.ifPrepared().orElseThrow(),
        database.config(),
        database.dataSource(),
        database.ids(),
        database.contents(),
        new Losing(),
        database.secret(),
        inbox.clock());
  }

  private static void redrive(InboxHarness inbox, KeptPlan counted) {
    BackgroundActions node = node(inbox);
    KeptPlan plan = node.plan(counted, "ada");
    node.redrive(plan.token().id(), ReplyOnRedrive.KEEP, RedrivePace.FASTEST, "ada", "why not");
    node.runner().runIfDue(Runnable::run);
  }

  /** The copies come. */
  private static void later(InboxHarness inbox) {
    inbox.clock().advance(Duration.ofMinutes(2));
    inbox.deliver(message(inbox, "C")).run();
  }

  /** Quarantines one and redrives it; its copy comes later. */
  private void redriveQuarantined(InboxHarness inbox) throws Exception {
    inbox.handler(new Noting());
    InboxDatabase database = inbox.environment().inbox();
    Message first = message(inbox, "A");
    inbox.deliver(first).run();
    Message other = message(inbox, "B");
    other.setStringProperty(ID, first.getStringProperty(ID));
    inbox.deliver(other).run();
    assertThat(rows(inbox)).containsExactly("QUARANTINED");

    redrive(
        inbox,
        new KeptQueries(
                Kind.QUARANTINED,
                database.config(),
                database.dataSource(),
                database.contents(),
                StoredMessage::text)
            .plan(ALL));
  }

  private static List<String> rows(InboxHarness inbox) throws SQLException {
    return column(inbox, "status");
  }

  private static List<String> column(InboxHarness inbox, String name) throws SQLException {
    try (Connection connection = inbox.dataSource().getConnection()) {
      return Sql.list(
          connection,
          "SELECT %s FROM inbox_stored ORDER BY status".formatted(name),
          row -> row.getString(1));
    }
  }

  private void isHandled(InboxHarness inbox) throws Exception {
    redriveQuarantined(inbox);
    later(inbox);
    assertThat(rows(inbox)).containsExactly("PARKED");

    isBroken = false;
    InboxDatabase database = inbox.environment().inbox();
    redrive(
        inbox,
        new KeptQueries(
                Kind.PARKED,
                database.config(),
                database.dataSource(),
                database.contents(),
                StoredMessage::text)
            .plan(ALL));
    later(inbox);
    assertThat(handled).containsExactlyInAnyOrder("A", "B", "C", "C");
    assertThat(rows(inbox)).isEmpty();
  }

  @Test
  void itIsHandledByItsNextRedrive() throws Exception {
    try (InboxHarness inbox = InboxHarness.onH2()) {
      isHandled(inbox);
    }
  }

  @Test
  void soItIsOnPostgres() throws Exception {
    try (InboxHarness inbox = InboxHarness.on(TestPostgres.freshUrl(), "postgres", "postgres")) {
      isHandled(inbox);
    }
  }

  /** Somebody has guessed the new id, and what came under it waits for an operator. */
  private void isKeptBesideAnother(InboxHarness inbox) throws Exception {
    redriveQuarantined(inbox);
    Message other = message(inbox, "B, too");
    other.setStringProperty(ID, column(inbox, "released_as").get(0));
    inbox.deliver(other).run();
    assertThat(rows(inbox)).containsExactly("HANDED_BACK", "PARKED");

    isRejected = !isRetried;
    later(inbox);
    assertThat(rows(inbox)).containsExactly("PARKED", "QUARANTINED");
    assertThat(handled).containsExactly("A", "C");
  }

  @Test
  void itIsKeptWhereOtherContentHasItsNewId() throws Exception {
    try (InboxHarness inbox = InboxHarness.onH2()) {
      isKeptBesideAnother(inbox);
    }
  }

  @Test
  void soItIsWhenItIsToBeRetried() throws Exception {
    isRetried = true;
    try (InboxHarness inbox = InboxHarness.onH2()) {
      isKeptBesideAnother(inbox);
    }
  }

  /** It has its room already. */
  @Test
  void thenItKeepsItsBodyAlsoIfTheQuotaIsFull() throws Exception {
    for (boolean retried : List.of(false, true)) {
      isRetried = retried;
      isRejected = true;
      handled.clear();
      try (InboxHarness inbox =
          InboxHarness.onH2()
              .setting("postbox.inbox.quota.messages", "1")
              .setting("postbox.inbox.quota.when-full", "metadata")) {
        isKeptBesideAnother(inbox);
        assertThat(column(inbox, "body_type")).containsExactly("NOT_KEPT", "TEXT");
      }
    }
  }
}
