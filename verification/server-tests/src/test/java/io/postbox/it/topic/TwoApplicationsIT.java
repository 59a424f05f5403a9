package io.postbox.it.topic;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxStatistics;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Invariants;
import io.postbox.outbox.OutboxStatistics;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@ArquillianTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TwoApplicationsIT {
  private static final List<String> EVENTS =
      IntStream.range(0, 20).mapToObj(n -> "event " + n).toList();

  @Inject Publisher publisher;
  @Inject OutboxStatistics outbox;
  @Inject InboxStatistics inbox;

  @Deployment(name = "north", order = 1)
  static EnterpriseArchive north() {
    return application("north");
  }

  @Deployment(name = "south", order = 2)
  static EnterpriseArchive south() {
    return application("south");
  }

  private static EnterpriseArchive application(String name) {
    return Archives.ear(TwoApplicationsIT.class, name, Archives.settings(name));
  }

  @Test
  @Order(1)
  @OperateOnDeployment("north")
  void eachHandlesEachMessageOnce() {
    List<UUID> ids = publisher.publish(EVENTS);
    Invariants.nothingPending(outbox);
    publisher.publishAgain(ids.get(0), EVENTS.get(0));
    Invariants.nothingPending(outbox);

    eventually(() -> assertThat(skipped()).isOne());
    for (String application : List.of("north", "south")) {
      eventually(
          () ->
              assertThat(
                      Database.byDefault()
                          .column(
                              "SELECT text FROM topic_audit WHERE application = ?", application))
                  .containsExactlyInAnyOrderElementsOf(EVENTS));
      assertThat(
              Database.byDefault()
                  .column(
                      "SELECT message_id FROM %s_inbox_message WHERE consumer = 'audit'"
                          .formatted(application)))
          .containsExactlyInAnyOrderElementsOf(ids.stream().map(UUID::toString).toList());
    }
  }

  @Test
  @Order(2)
  @OperateOnDeployment("south")
  void theOtherOneSkippedTheCopyTooOnItsOwnAccount() {
    eventually(() -> assertThat(skipped()).isOne());
  }

  private long skipped() {
    return inbox.byConsumer().stream()
        .filter(statistics -> statistics.consumer().equals("audit"))
        .mapToLong(InboxStatistics.ConsumerStatistics::skipped)
        .sum();
  }
}
