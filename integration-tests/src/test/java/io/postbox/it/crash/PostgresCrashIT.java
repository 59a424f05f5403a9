package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.crash.Event.Acknowledged;
import io.postbox.it.crash.Violation.NotShipped;
import io.postbox.it.crash.Violation.ShippedTwice;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * PostgreSQL with XA, Liberty's embedded messaging: recovery has two resources to bring together.
 */
@TestMethodOrder(OrderAnnotation.class)
class PostgresCrashIT {
  private static @Nullable Campaign started;

  @BeforeAll
  static void start() {
    started = Campaign.onPostgres(Settings.read(), "postgresql");
    started.start();
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  @Test
  @Order(1)
  void everyAnsweredOrderIsShippedOnceHoweverOftenTheServerIsKilled() {
    Campaign campaign = Objects.requireNonNull(started);
    List<Violation> violations = campaign.run();
    assertThat(violations).as(() -> campaign.explain(violations)).isEmpty();
  }

  /** After the one above, because what it breaks stays broken. */
  @Test
  @Order(2)
  void aMessageThatIsLostAndAnInboxThatForgetsAreFound() throws Exception {
    Campaign campaign = Objects.requireNonNull(started);
    Acknowledged lost;
    try (Connection past = campaign.database().connect()) {
      Tables.claimAllPartitions(past);
      lost = campaign.order();
      assertThat(Tables.lose(past, lost.messageId())).isEqualTo(1);
      past.commit();
    }
    Acknowledged forgotten = campaign.order();
    campaign.awaitShipments(forgotten.orderId(), 1);
    try (Connection past = campaign.database().connect()) {
      assertThat(Tables.forget(past, forgotten.messageId())).isEqualTo(1);
    }
    campaign.resend(forgotten.orderId());
    campaign.awaitShipments(forgotten.orderId(), 2);

    List<Violation> violations = campaign.check();

    assertThat(violations)
        .contains(new NotShipped(lost.orderId()))
        .anyMatch(v -> v instanceof ShippedTwice twice && twice.orderId() == forgotten.orderId());
    assertThat(campaign.explain(violations))
        .contains("LOST: order " + lost.orderId(), "DOUBLED: order " + forgotten.orderId());
  }
}
