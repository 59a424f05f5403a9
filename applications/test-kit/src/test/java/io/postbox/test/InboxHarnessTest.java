package io.postbox.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.outbox.OutboxMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.TextMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InboxHarnessTest {
  private static final String COUNT = "SELECT COUNT(*) FROM shipment WHERE order_id = 'A-1'";
  private static final OutboxMessage PLACED =
      OutboxMessage.to("shipping").event("OrderPlaced").aggregate("Order", "A-1").text("A-1");

  @RegisterExtension
  final InboxHarness inbox =
      InboxHarness.onH2().execute("CREATE TABLE shipment (order_id VARCHAR(20) NOT NULL)");

  /** Books a shipment for each call. */
  @Inbox("shipping")
  static class ShippingMdb implements MessageListener {
    private final DataSource dataSource;

    ShippingMdb(DataSource dataSource) {
      this.dataSource = dataSource;
    }

    @Override
    public void onMessage(Message message) {
      try (Connection connection = dataSource.getConnection();
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO shipment VALUES (?)")) {
        insert.setString(1, message.getBody(String.class));
        insert.executeUpdate();
      } catch (SQLException | JMSException failed) {
        throw new IllegalStateException(failed);
      }
    }
  }

  @Test
  void aTransactionalHandlerIsIdempotent() {
    inbox
        .handler(new ShippingMdb(inbox.dataSource()))
        .deliver(PLACED)
        .inEveryWay()
        .effectsOnce(COUNT);
  }

  @Test
  void aStaticCounterIsCaught() {
    AtomicLong calls = new AtomicLong();
    @Inbox("shipping")
    class Counting implements MessageListener {
      @Override
      public void onMessage(Message message) {
        calls.incrementAndGet();
      }
    }
    Deliveries deliveries =
        inbox.handler(new Counting()).deliver(PLACED).crashingAt(Point.AFTER_HANDLER);

    assertThatThrownBy(() -> deliveries.effectsOnce(calls::get))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("happened 2 times")
        .hasMessageContaining("The handler ran 2 times, and 1 of these runs committed.")
        .hasMessageContaining("outside of the inbox's transaction")
        .hasMessageContaining("the process crashed after the handler had returned");
  }

  @Test
  void retriesWaitLongerAndLonger() {
    inbox
        .setting("postbox.inbox.max-attempts", "4")
        .handler(new ShippingMdb(inbox.dataSource()))
        .deliver(PLACED)
        .failingAt(Point.AFTER_HANDLER)
        .failingAt(Point.BEFORE_HANDLER)
        .failingAt(Point.AT_COMMIT)
        .retriedAfter(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4))
        .effectsOnce(COUNT);
  }

  @Test
  void aRetriedMessageIsTheSame() throws JMSException {
    List<String> seen = new ArrayList<>();
    @Inbox(value = "shipping", idFrom = IdFrom.JMS_MESSAGE_ID)
    class Noting implements MessageListener {
      @Override
      public void onMessage(Message message) {
        try {
          seen.add(
              "%s %s %s %s"
                  .formatted(
                      message.getJMSType(),
                      message.getJMSCorrelationID(),
                      message.getIntProperty("parcels"),
                      HexFormat.of().formatHex(message.getBody(byte[].class))));
        } catch (JMSException unreadable) {
          throw new IllegalStateException(unreadable);
        }
      }
    }
    BytesMessage message = inbox.bytesMessage();
    message.setJMSType("OrderPlaced");
    message.setJMSCorrelationID("A-1");
    message.setIntProperty("parcels", 3);
    message.writeBytes(new byte[] {1, 2, -1});

    inbox
        .handler(new Noting())
        .deliver(message)
        .failingAt(Point.AFTER_HANDLER)
        .failingAt(Point.AFTER_HANDLER)
        .retriedAfter(Duration.ofSeconds(1), Duration.ofSeconds(2));

    String once = "OrderPlaced A-1 3 0102ff";
    assertThat(seen).containsExactly(once, once, once);
  }

  @Test
  void aMessageWithoutRoomWaitsAtItsBroker() {
    @Inbox("shipping")
    class Rejecting extends ShippingMdb {
      Rejecting() {
        super(inbox.dataSource());
      }

      @Override
      public void onMessage(Message message) {
        if (body(message).equals("B-2")) {
          throw new RejectedMessageException("unreadable");
        }
        super.onMessage(message);
      }
    }
    inbox.setting("postbox.inbox.quota.messages", "1").handler(new Rejecting());
    inbox.deliver(PLACED.text("B-2")).parked();

    inbox.deliver(PLACED).failingAt(Point.AFTER_HANDLER).retriedAfter().effectsOnce(COUNT);
  }

  @Test
  void aCrashIsNoFailureOfTheHandler() {
    inbox
        .setting("postbox.inbox.max-attempts", "1")
        .handler(new ShippingMdb(inbox.dataSource()))
        .deliver(PLACED)
        .crashingAt(Point.AFTER_HANDLER)
        .retriedAfter()
        .effectsOnce(COUNT);
  }

  @Test
  void aMessageThatAlwaysFailsIsParked() {
    @Inbox("shipping")
    class Failing implements MessageListener {
      @Override
      public void onMessage(Message message) {
        throw new IllegalStateException("no stock");
      }
    }
    inbox.handler(new Failing()).deliver(PLACED).parked();
  }

  @Test
  void aRejectedMessageIsParkedAtOnce() {
    @Inbox("shipping")
    class Rejecting implements MessageListener {
      @Override
      public void onMessage(Message message) {
        throw new RejectedMessageException("unreadable");
      }
    }
    inbox.handler(new Rejecting()).deliver(PLACED).parked().retriedAfter();
  }

  @Test
  void anotherBodyIsQuarantined() {
    inbox
        .handler(new ShippingMdb(inbox.dataSource()))
        .deliver(PLACED)
        .withOtherBody()
        .quarantined()
        .effectsOnce(COUNT);
  }

  @Test
  void duplicatesAreSkipped() {
    inbox.handler(new ShippingMdb(inbox.dataSource())).deliver(PLACED).times(3).effectsOnce(COUNT);
    assertThatThrownBy(() -> inbox.deliver(PLACED.text("B-2")).effectsOnce("SELECT 1 + 1"))
        .hasMessageContaining("happened 2 times");
    assertThat(inbox.clock().instant()).isNotNull();
  }

  @Test
  void aSecondDatabaseIsCaught() throws SQLException {
    JdbcDataSource other = new JdbcDataSource();
    other.setUrl("jdbc:h2:mem:" + UUID.randomUUID());
    try (Connection open = other.getConnection()) {
      open.createStatement().execute("CREATE TABLE shipment (order_id VARCHAR(20) NOT NULL)");
      Deliveries deliveries =
          inbox.handler(new ShippingMdb(other)).deliver(PLACED).failingAt(Point.AT_COMMIT);

      assertThatThrownBy(() -> deliveries.effectsOnce(other, COUNT))
          .hasMessageContaining("happened 2 times")
          .hasMessageContaining("another database")
          .hasMessageContaining("it failed at the commit");
    }
  }

  @Test
  void aCallIsMadeOnceWithTheInboxsContext() {
    AtomicLong calls = new AtomicLong();
    @Inbox("shipping")
    class Calling implements MessageListener {
      @Override
      public void onMessage(Message message) {
        inbox.context().once("label", key -> "label " + calls.incrementAndGet());
      }
    }
    inbox
        .handler(new Calling())
        .deliver(PLACED)
        .crashingAt(Point.AFTER_HANDLER)
        .failingAt(Point.AT_COMMIT)
        .times(2)
        .effectsOnce(calls::get);
  }

  @Test
  void anEnqueuedMessageIsAnEffect() {
    @Inbox("shipping")
    class Replying implements MessageListener {
      @Override
      public void onMessage(Message message) {
        inbox.outbox().enqueue(OutboxMessage.to("orders").event("OrderShipped").text("x"));
      }
    }
    inbox
        .handler(new Replying())
        .deliver(PLACED)
        .inEveryWay()
        .effectsOnce("SELECT COUNT(*) FROM outbox_message WHERE event_type = 'OrderShipped'");
  }

  @Test
  void messagesArriveInAnyOrder() {
    List<String> seen = new ArrayList<>();
    @Inbox("shipping")
    class Noting implements MessageListener {
      @Override
      public void onMessage(Message message) {
        seen.add(body(message));
      }
    }
    inbox.handler(new Noting()).deliver(PLACED, PLACED.text("B-2")).reordered().run();

    assertThat(seen).containsExactly("B-2", "A-1");
  }

  @Test
  void versionsAreHandledInTheirOrder() {
    List<String> seen = new ArrayList<>();
    @Inbox("shipping")
    class Noting implements MessageListener {
      @Override
      public void onMessage(Message message) {
        seen.add(body(message));
      }
    }
    inbox
        .setting("postbox.inbox.consumer.shipping.order", "version")
        .handler(new Noting())
        .deliver(PLACED.aggregateVersion(1), PLACED.aggregateVersion(2).text("changed"))
        .reordered()
        .run()
        .retriedAfter();

    assertThat(seen).containsExactly("A-1", "changed");
  }

  @Test
  void aMessageOfAnotherProducerHasItsOwnId() throws JMSException {
    @Inbox(value = "shipping", idFrom = IdFrom.PROPERTY, property = "orderNumber")
    class Foreign extends ShippingMdb {
      Foreign() {
        super(inbox.dataSource());
      }
    }
    TextMessage message = inbox.textMessage("A-1");
    message.setStringProperty("orderNumber", "A-1");

    inbox.handler(new Foreign()).deliver(message).times(3).effectsOnce(COUNT);
  }

  @Test
  void aTestThatShowsNothingIsNoticed() {
    inbox.handler(new ShippingMdb(inbox.dataSource()));
    Deliveries unmet = inbox.deliver(PLACED).failingAt(Point.AFTER_HANDLER);
    unmet.run();
    Deliveries neverRun = inbox.deliver(PLACED);

    assertThatThrownBy(() -> inbox.deliver(PLACED))
        .hasMessageContaining("described and never made");
    assertThatThrownBy(() -> neverRun.run().times(2)).hasMessageContaining("have been made");
    assertThatThrownBy(
            () ->
                inbox
                    .deliver(PLACED)
                    .failingAt(Point.AFTER_COMMIT)
                    .failingAt(Point.AFTER_HANDLER)
                    .effectsOnce(COUNT))
        .hasMessageContaining("first one left is: it failed after the handler had returned");
  }

  @Test
  void aHandlerThatCannotBeTestedIsRefused() {
    @Inbox(value = "shipping", mode = InboxMode.CAPTURE)
    class Capturing extends ShippingMdb {
      Capturing() {
        super(inbox.dataSource());
      }
    }

    assertThatThrownBy(() -> inbox.handler(new Capturing())).hasMessageContaining("CAPTURE");
    assertThatThrownBy(() -> inbox.handler("no bean")).hasMessageContaining("has no methods");
    assertThatThrownBy(() -> inbox.deliver(PLACED).run()).hasMessageContaining("call handler(…)");
    assertThatThrownBy(() -> inbox.setting("postbox.inbox.max-attempts", "2"))
        .hasMessageContaining("has started");
  }

  @Test
  void aSettingForAnotherConsumerIsRefused() {
    inbox
        .setting("postbox.inbox.consumer.shiping.max-attempts", "2")
        .handler(new ShippingMdb(inbox.dataSource()));

    assertThatThrownBy(() -> inbox.deliver(PLACED).run())
        .hasMessageContaining("did you mean postbox.inbox.consumer.shipping.*?");
  }

  @Test
  void aQueryThatCountsNothingIsRefusedWithAdvice() {
    inbox.handler(new ShippingMdb(inbox.dataSource()));

    assertThatThrownBy(
            () -> inbox.deliver(PLACED).effectsOnce("SELECT * FROM shipment, shipment s"))
        .hasMessageContaining("returns one row with one number");
  }

  private static String body(Message message) {
    try {
      return message.getBody(String.class);
    } catch (JMSException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }
}
