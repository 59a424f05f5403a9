package io.postbox.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import io.postbox.outbox.NoTransactionException;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJB;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.Singleton;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

@PostboxTest(
    value = {PostboxTestTest.ShippingMdb.class, PostboxTestTest.OrdersMdb.class},
    settings = {"shop.name=corner", "postbox.inbox.consumer.shipping.backoff.first=5s"},
    sql = {
      "CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY, status VARCHAR(20) NOT NULL)",
      "CREATE TABLE shipment (order_id VARCHAR(20) NOT NULL)"
    })
class PostboxTestTest {
  private static final String SHIPMENTS = "SELECT COUNT(*) FROM shipment";
  private static final String SHIPPED = "SELECT COUNT(*) FROM orders WHERE status = 'SHIPPED'";

  @Inject OrderService orders;
  @Inject Postbox postbox;
  @Inject Committed committed;

  @Stateless
  public static class OrderService {
    @Inject Outbox outbox;
    @Resource DataSource dataSource;

    @Inject
    @ConfigProperty(name = "shop.name")
    String shop;

    @Inject Event<Placed> placed;

    public void place(String id) {
      placed.fire(new Placed(id));
      Statements.run(dataSource, "INSERT INTO orders VALUES (?, 'PLACED')", id);
      outbox.enqueue(
          OutboxMessage.to("shipping").event("OrderPlaced").aggregate("Order", id).text(id));
    }

    public void placeAndFail(String id) {
      place(id);
      throw new IllegalStateException("out of paper");
    }

    public void placeLater(String id, Duration wait, TestClock clock) {
      outbox.enqueue(OutboxMessage.to("shipping").text(id).notBefore(clock.instant().plus(wait)));
    }

    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public void placeWithoutTransaction(String id) {
      place(id);
    }

    String shop() {
      return shop;
    }
  }

  public record Placed(String id) {}

  @Singleton
  public static class Committed {
    private final List<String> orders = new ArrayList<>();

    void afterCommit(@Observes(during = TransactionPhase.AFTER_SUCCESS) Placed order) {
      orders.add(order.id());
    }

    public List<String> orders() {
      return orders;
    }
  }

  @Stateless
  public static class ShippingService {
    static int failures;

    @Inject Outbox outbox;
    @Inject InboxContext delivery;
    @Resource DataSource dataSource;

    public void ship(String id) {
      Statements.run(dataSource, "INSERT INTO shipment VALUES (?)", id);
      if (delivery.attempt() <= failures) {
        throw new IllegalStateException("no stock yet");
      }
      outbox.enqueue(OutboxMessage.to("orders").event("OrderShipped").text(id));
      outbox.enqueue(OutboxMessage.to("billing").event("OrderShipped").text(id));
    }
  }

  @Inbox("shipping")
  @MessageDriven
  public static class ShippingMdb implements MessageListener {
    @EJB ShippingService shipping;

    @Override
    public void onMessage(Message message) {
      shipping.ship(Statements.text(message));
    }
  }

  @Inbox("replies")
  @MessageDriven(
      activationConfig =
          @ActivationConfigProperty(
              propertyName = "destinationLookup",
              propertyValue = "jms/orders"))
  public static class OrdersMdb implements MessageListener {
    @Resource DataSource dataSource;

    @Override
    public void onMessage(Message message) {
      Statements.run(
          dataSource,
          "UPDATE orders SET status = 'SHIPPED' WHERE id = ?",
          Statements.text(message));
    }
  }

  static final class Statements {
    private Statements() {}

    static void run(DataSource dataSource, String sql, String id) {
      try (Connection connection = dataSource.getConnection();
          PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setString(1, id);
        statement.executeUpdate();
      } catch (SQLException failed) {
        throw new IllegalStateException(failed);
      }
    }

    static String text(Message message) {
      try {
        return message.getBody(String.class);
      } catch (JMSException unreadable) {
        throw new IllegalStateException(unreadable);
      }
    }
  }

  @Test
  void anOrderTravelsThereAndBack() throws JMSException {
    orders.place("A-1");
    assertThat(postbox.count(SHIPMENTS)).isZero();
    assertThat(committed.orders()).containsExactly("A-1");

    postbox.settle();

    assertThat(postbox.count(SHIPMENTS)).isOne();
    assertThat(postbox.count(SHIPPED)).isOne();
    assertThat(postbox.messagesIn("jms/billing"))
        .singleElement()
        .satisfies(message -> assertThat(message.getJMSType()).isEqualTo("OrderShipped"));
    assertThat(orders.shop()).isEqualTo("corner");
  }

  @Test
  void aRolledBackMessageIsNotSent() {
    assertThatThrownBy(() -> orders.placeAndFail("A-1")).hasMessage("out of paper");
    postbox.settle();

    assertThat(postbox.count("SELECT COUNT(*) FROM orders")).isZero();
    assertThat(committed.orders()).isEmpty();
    assertThat(postbox.count(SHIPMENTS)).isZero();
    assertThatThrownBy(() -> orders.placeWithoutTransaction("A-2"))
        .isInstanceOf(NoTransactionException.class);
  }

  @Test
  void aFailedHandlerIsRetriedWhenItsTimeHasCome() {
    ShippingService.failures = 1;
    try {
      orders.place("A-1");
      postbox.settle();
      assertThat(postbox.count(SHIPMENTS)).isZero();
      postbox.advance(Duration.ofMillis(4_999));
      assertThat(postbox.count(SHIPMENTS)).isZero();
      postbox.advance(Duration.ofMillis(1));
      assertThat(postbox.count(SHIPMENTS)).isOne();
    } finally {
      ShippingService.failures = 0;
    }
  }

  @Test
  void aDelayedMessageWaitsForItsTime() {
    postbox.advance(Duration.ofDays(1));
    orders.placeLater("A-1", Duration.ofHours(1), postbox.clock());
    postbox.advance(Duration.ofMinutes(59));
    assertThat(postbox.count(SHIPMENTS)).isZero();
    postbox.advance(Duration.ofMinutes(1));
    assertThat(postbox.count(SHIPMENTS)).isOne();
  }

  @Test
  void aBeanOfTheTestIsIdempotent() {
    postbox
        .inbox(ShippingMdb.class)
        .deliver(OutboxMessage.to("shipping").text("A-1"))
        .inEveryWay()
        .effectsOnce(SHIPMENTS)
        .effectsOnce("SELECT COUNT(*) FROM outbox_message WHERE destination = 'billing'");
  }

  @Test
  void messagesOfARunningTransactionAreSeenByNobody() {
    assertThatThrownBy(() -> postbox.inTransaction(() -> postbox.settle()))
        .hasMessageContaining("end it before settle()");
    assertThatThrownBy(
            () ->
                postbox.inTransaction(
                    () -> {
                      orders.place("A-1");
                      throw new IllegalStateException("given up");
                    }))
        .hasMessage("given up");
    assertThat(postbox.settle().count(SHIPMENTS)).isZero();
  }
}
