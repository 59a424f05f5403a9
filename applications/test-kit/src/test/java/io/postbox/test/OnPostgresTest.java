package io.postbox.test;

import io.postbox.common.testing.TestPostgres;
import io.postbox.outbox.OutboxMessage;
import io.postbox.test.InboxHarnessTest.ShippingMdb;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OnPostgresTest {
  @RegisterExtension
  final InboxHarness inbox =
      InboxHarness.on(TestPostgres.freshUrl(), "postgres", "postgres")
          .execute("CREATE TABLE shipment (order_id VARCHAR(20) NOT NULL)");

  @Test
  void aTransactionalHandlerIsIdempotent() {
    inbox
        .handler(new ShippingMdb(inbox.dataSource()))
        .deliver(OutboxMessage.to("shipping").text("A-1"))
        .inEveryWay()
        .effectsOnce("SELECT COUNT(*) FROM shipment");
  }

  @Test
  void theTimeIsTheTests() {
    inbox.clock().advance(Duration.ofDays(7));
    inbox
        .handler(new ShippingMdb(inbox.dataSource()))
        .deliver(OutboxMessage.to("shipping").text("A-1"))
        .effectsOnce(
            """
            SELECT COUNT(*) FROM inbox_message
              WHERE processed_at > CURRENT_TIMESTAMP + INTERVAL '6 days'
            """);
  }
}
