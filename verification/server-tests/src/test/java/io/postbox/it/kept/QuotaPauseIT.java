package io.postbox.it.kept;

import static io.postbox.it.tools.Eventually.eventually;
import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import jakarta.inject.Inject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

/** A consumer whose quota is reached: its messages stay with the broker until there is room. */
@ArquillianTest
class QuotaPauseIT {
  private static final String QUEUE = "jms/quota";
  private static final String ENDPOINT = "quota#quota-ejb.jar#KeptMdb";
  private static final int ALLOWED = 3;
  private static final int GOOD = 5;

  /** Counts are five seconds apart. */
  private static final Duration SEVERAL_COUNTS = Duration.ofSeconds(60);

  @Inject Desk desk;
  @Inject QuarantinedMessages quarantined;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(
        QuotaPauseIT.class,
        "quota",
        Archives.settings("quota", "postbox.inbox.quota.messages", String.valueOf(ALLOWED)),
        Vault.class);
  }

  @Test
  void theEndpointIsPausedAndItsMessagesStayInTheirQueueUntilThereIsRoom() {
    for (int i = 0; i < ALLOWED; i++) {
      Broker.sendWithoutId(QUEUE, "flood " + i);
    }
    patience(SEVERAL_COUNTS).untilAsserted(() -> assertThat(isPaused()).isTrue());
    assertThat(kept()).isEqualTo(ALLOWED);
    assertThat(full()).isOne();

    List<String> good = IntStream.range(0, GOOD).mapToObj(i -> "good " + i).toList();
    good.forEach(text -> Broker.send(QUEUE, UUID.randomUUID(), text, 1));
    Broker.sendWithoutId(QUEUE, "one more");
    eventually(() -> assertThat(Broker.depth(QUEUE)).isEqualTo(GOOD + 1));
    assertThat(good).allMatch(text -> desk.handled(text) == 0);
    assertThat(kept()).isEqualTo(ALLOWED);

    assertThat(quarantined.discard(quarantined.plan(KeptFilter.all()), "makes room"))
        .isEqualTo(ALLOWED);
    patience(SEVERAL_COUNTS)
        .untilAsserted(() -> assertThat(good).allMatch(text -> desk.handled(text) == 1));
    assertThat(isPaused()).isFalse();
    eventually(() -> assertThat(kept()).as("the one without an id").isOne());
    eventually(() -> assertThat(full()).isZero());
    assertThat(Broker.depth(QUEUE)).isZero();
    eventually(() -> assertThat(Log.ofServer().lines("IBX0183", ENDPOINT)).hasSize(1));
    eventually(() -> assertThat(Log.ofServer().lines("IBX0184", ENDPOINT)).hasSize(1));
  }

  private long kept() {
    return quarantined.plan(KeptFilter.all()).messages();
  }

  private static double full() {
    return Endpoint.value(
        Endpoint.metrics(Integer.parseInt(Names.variable("http.port"))),
        "postbox_inbox_quota_full",
        "service=\"quota\"");
  }

  private static boolean isPaused() {
    try {
      return (boolean)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("WebSphere:feature=kernel,name=ServerEndpointControl"),
                  "isPaused",
                  new Object[] {ENDPOINT},
                  new String[] {String.class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
