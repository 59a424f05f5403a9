package io.postbox.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.Inbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.test.store.Effects;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads and results that look harmless. */
class PayloadsTest {
  private static final OutboxMessage PLACED =
      OutboxMessage.to("shipping").event("OrderPlaced").aggregate("Order", "A-1").text("A-1");

  @RegisterExtension
  final InboxHarness inbox =
      InboxHarness.onH2().execute("CREATE TABLE shipment (order_id VARCHAR(20) NOT NULL)");

  /** As JSON-B reads it. */
  public static class Placed {
    /** The order. */
    public String orderId;
  }

  @Inbox("shipping")
  final class Reading implements MessageListener {
    @Override
    public void onMessage(Message message) {
      Placed placed = inbox.context().payload(Placed.class);
      new Effects(inbox.dataSource())
          .execute("INSERT INTO shipment VALUES ('" + placed.orderId + "')");
    }
  }

  @ParameterizedTest
  @CsvSource({"text,false", "bytes,false", "text,true", "bytes,true"})
  void aByteOrderMarkDoesNoHarm(String form, boolean hasMark) {
    String json = (hasMark ? "\uFEFF" : "") + "{\"orderId\":\"A-1\"}";
    OutboxMessage message =
        form.equals("text")
            ? PLACED.text(json)
            : PLACED.bytes(json.getBytes(StandardCharsets.UTF_8));
    Deliveries deliveries = inbox.handler(new Reading()).deliver(message).run();
    deliveries.effectsOnce("SELECT COUNT(*) FROM shipment WHERE order_id = 'A-1'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NUL", "LONG"})
  void aCallWhoseResultCannotBeStoredIsMadeOnce(String kind) {
    AtomicInteger calls = new AtomicInteger();
    String result = kind.equals("NUL") ? "receipt\u0000" : "x".repeat((1 << 20) + 1);
    @Inbox("shipping")
    class Charging implements MessageListener {
      @Override
      public void onMessage(Message message) {
        inbox
            .context()
            .once(
                "charge",
                key -> {
                  calls.incrementAndGet();
                  return result;
                });
      }
    }
    inbox.handler(new Charging()).deliver(PLACED).parked();
    assertThat(calls).hasValue(1);
    Effects tables = new Effects(inbox.dataSource());
    assertThat(
            tables.count(
                "SELECT COUNT(*) FROM inbox_stored WHERE reason = 'REJECTED'"
                    + " AND error LIKE '%The effect ''charge''%was made%cannot be stored%'"))
        .isEqualTo(1);
  }

  @Test
  void aCallWhoseResultCanBeStoredIsMadeOnce() {
    AtomicInteger calls = new AtomicInteger();
    @Inbox("shipping")
    class Charging implements MessageListener {
      @Override
      public void onMessage(Message message) {
        inbox.context().once("charge", key -> "receipt " + calls.incrementAndGet());
        throw new IllegalStateException("fails afterwards");
      }
    }
    inbox.handler(new Charging()).deliver(PLACED).parked();
    assertThat(calls).hasValue(1);
  }
}
