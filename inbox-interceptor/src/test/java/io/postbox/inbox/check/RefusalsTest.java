package io.postbox.inbox.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Consumer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private static final InboxConfig WHOLE = TestConfig.shop(Map.of("connection-factory", "jms/cf"));
  private static final InboxConfig DAILY = TestConfig.shop(Map.of("table-partitioning", "daily"));
  private static final Consumer BY_HEADER = new Consumer("mail", IdFrom.JMS_MESSAGE_ID, "");
  private static final Consumer BY_OUTBOX = new Consumer("orders", IdFrom.OUTBOX_MESSAGE_ID, "");

  @Test
  void idsThatAreNoUuidsOfVersion7AreRefusedWhereTheTableIsDividedByThem() {
    assertThat(Refusals.of(DAILY, List.of(BY_HEADER, BY_OUTBOX), false))
        .singleElement()
        .asString()
        .contains("postbox.inbox.table-partitioning=daily", "'mail'", "JMS_MESSAGE_ID")
        .contains("Set postbox.inbox.table-partitioning=none");
    assertThat(Refusals.of(DAILY, List.of(BY_OUTBOX), false)).isEmpty();
    assertThat(Refusals.of(WHOLE, List.of(BY_HEADER), false)).isEmpty();
  }

  @Test
  void anAdapterThatAcknowledgesBeforeTheHandlerIsRefused() {
    assertThat(Refusals.of(WHOLE, List.of(BY_OUTBOX), true))
        .singleElement()
        .asString()
        .contains("postbox.inbox.connection-factory=jms/cf", "Remove preAcknowledge");
    assertThat(Refusals.of(WHOLE, List.of(), true)).as("nothing is guarded").isEmpty();
  }

  @Test
  void requestsAreRefusedWhereTheTableIsDividedByIds() {
    assertThat(Refusals.ofRequests(DAILY, List.of("orders", "orders")))
        .singleElement()
        .asString()
        .contains("postbox.inbox.table-partitioning=daily", "@Idempotent(\"orders\")")
        .contains("Set postbox.inbox.table-partitioning=none");
    assertThat(Refusals.ofRequests(DAILY, List.of())).isEmpty();
    assertThat(Refusals.ofRequests(WHOLE, List.of("orders"))).isEmpty();
  }
}
