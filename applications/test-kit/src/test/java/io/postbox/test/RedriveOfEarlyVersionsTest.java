package io.postbox.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OperatorAction;
import io.postbox.common.RedrivePace;
import io.postbox.common.testing.TestPostgres;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.ops.BackgroundActions;
import io.postbox.inbox.ops.KeptQueries;
import io.postbox.inbox.ops.KeptSender;
import io.postbox.inbox.ops.Outgoing;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.outbox.OutboxMessage;
import io.postbox.test.store.Effects;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An early version that a person redrives, and that arrives before the redrive has committed. */
class RedriveOfEarlyVersionsTest {
  private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

  @Inbox("shipping")
  final class Noting implements MessageListener {
    @Override
    public void onMessage(Message message) {
      try {
        handled.add(message.getBody(String.class));
      } catch (JMSException unreadable) {
        throw new IllegalStateException(unreadable);
      }
    }
  }

  private static Message version(InboxHarness inbox, long version) {
    return inbox
        .environment()
        .outbox()
        .message(
            OutboxMessage.to("shipping")
                .event("OrderChanged")
                .aggregate("Order", "A")
                .aggregateVersion(version)
                .text("A@" + version));
  }

  /** Its broker delivers on another thread, and before send returns. */
  private static KeptSender delivering(InboxHarness inbox, Message message) {
    return new KeptSender() {
      @Override
      public void send(Outgoing outgoing) {
        CompletableFuture.runAsync(
                () -> new DeliveryRun(inbox, List.of(), 1).deliver(List.of(message), 1, false))
            .join();
      }

      @Override
      public Optional<String> firstId(String properties) {
        return Optional.empty();
      }
    };
  }

  private void staysStored(InboxHarness inbox, String reason) throws Exception {
    inbox.setting("postbox.inbox.consumer.shipping.order", "version").handler(new Noting());
    Message third = version(inbox, 3);
    inbox.deliver(version(inbox, 1)).run();
    inbox.deliver(third).run();
    Effects tables = new Effects(inbox.dataSource());
    assertThat(tables.count("SELECT COUNT(*) FROM inbox_stored WHERE status = 'EARLY'")).isOne();
    if (reason.equals("VERSION_MISSING")) { // parked when no more could be buffered
      tables.execute("UPDATE inbox_stored SET status = 'PARKED', reason = 'VERSION_MISSING'");
    }

    InboxDatabase database = inbox.environment().inbox();
    BackgroundActions node =
        new BackgroundActions(
            database.ifPrepared().orElseThrow(),
            database.config(),
            database.dataSource(),
            database.ids(),
            database.contents(),
            delivering(inbox, third),
            database.secret(),
            inbox.clock());
    KeptPlan plan =
        node.plan(
            new KeptQueries(
                    Kind.PARKED,
                    database.config(),
                    database.dataSource(),
                    database.contents(),
                    StoredMessage::text)
                .plan(KeptFilter.all().reason(reason)),
            "ada");
    OperatorAction started =
        node.redrive(plan.token().id(), ReplyOnRedrive.KEEP, RedrivePace.FASTEST, "ada", "why not");
    node.runner().runIfDue(Runnable::run);
    assertThat(node.control().get(started.id()).orElseThrow().done()).isOne();
    assertThat(tables.count("SELECT COUNT(*) FROM inbox_stored WHERE status = 'HANDED_BACK'"))
        .as("version 3 is still there")
        .isOne();

    inbox.deliver(version(inbox, 2)).run();
    assertThat(handled).containsExactly("A@1", "A@2");
    assertThat(tables.count("SELECT COUNT(*) FROM inbox_stored WHERE status = 'HANDED_BACK'"))
        .as("its copy is still to come")
        .isOne();

    inbox.clock().advance(Duration.ofMinutes(2));
    inbox.deliver(version(inbox, 2)).run();
    assertThat(handled).as("another copy was sent").containsExactly("A@1", "A@2", "A@3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"EARLY", "VERSION_MISSING"})
  void aVersionWhoseOriginalComesAgainAfterItsRedriveStaysStored(String reason) throws Exception {
    try (InboxHarness inbox = InboxHarness.onH2()) {
      staysStored(inbox, reason);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"EARLY", "VERSION_MISSING"})
  void soItDoesOnPostgres(String reason) throws Exception {
    try (InboxHarness inbox = InboxHarness.on(TestPostgres.freshUrl(), "postgres", "postgres")) {
      staysStored(inbox, reason);
    }
  }
}
