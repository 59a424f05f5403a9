package io.postbox.it.war;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Invariants;
import io.postbox.it.tools.Names;
import io.postbox.outbox.OutboxStatistics;
import jakarta.inject.Inject;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

@ArquillianTest
class PlainWarIT {
  @Inject WarBean bean;
  @Inject WarEjb ejb;
  @Inject Heard heard;
  @Inject InboxStatistics inbox;
  @Inject OutboxStatistics outbox;

  @Deployment
  static WebArchive application() {
    return Archives.war(
        "plain",
        Archives.settings("plain"),
        WarBean.class,
        WarEjb.class,
        WarMdb.class,
        Heard.class);
  }

  @Test
  void messagesOfBeansAndEjbsAreHeardOnceAndACopyIsSkipped() {
    UUID id = UUID.randomUUID();
    bean.send(id, "from a bean");
    ejb.send("from an ejb");
    eventually(
        () -> assertThat(heard.texts()).containsExactlyInAnyOrder("from a bean", "from an ejb"));
    Invariants.nothingPending(outbox);

    bean.send(id, "from a bean");

    eventually(
        () ->
            assertThat(inbox.byConsumer())
                .containsExactly(new ConsumerStatistics("war", 2, 1, 0, 0)));
    assertThat(heard.texts()).hasSize(2);
    Invariants.nothingPending(outbox);
  }

  /** Runs in the server; two of the three checks say whose they are. */
  @Test
  void itsHealthChecksAreShownOnce() {
    String health = Endpoint.get(Integer.parseInt(Names.variable("http.port")), "/health").body();

    assertThat(health.split("\"service\":\"plain\"", -1)).as(health).hasSize(3);
  }
}
