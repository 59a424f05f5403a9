package io.postbox.inbox.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.common.testing.DataSources;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.interceptor.DeliveryGateBean;
import io.postbox.inbox.interceptor.TestWorkQueues;
import io.postbox.inbox.server.ApplicationContext;
import io.postbox.inbox.server.Workers.Strength;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandBackBeanTest {
  private final String url = TestDatabase.H2.freshUrl();
  private final AtomicInteger broken = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private final HandBackBean releases = new HandBackBean();

  HandBackBeanTest() throws SQLException {}

  /** Out of memory as often as a test says; each time it leaves an interrupt behind. */
  private DataSource dataSource() {
    return DataSources.of(
        () -> {
          asked.incrementAndGet();
          if (broken.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            Thread.currentThread().interrupt();
            throw new OutOfMemoryError("Java heap space");
          }
          return TestDatabase.connect(url);
        });
  }

  @AfterEach
  void stop() {
    releases.stop();
  }

  @Test
  void anErrorWhileItLooksForVersionsEndsNoThread() {
    InboxDatabase database =
        new InboxDatabase(
            TestConfig.shop(Map.of("create-tables", "true", "consumer.shipping.order", "version")),
            dataSource());
    database.encryptWith(Optional::empty);
    database.prepare();
    releases.database = database;
    releases.deployment = new InboxDeployment();
    releases.queues = TestWorkQueues.of(database, releases.deployment);
    releases.gate =
        new DeliveryGateBean() {
          @Override
          public Optional<Duration> outage() {
            return Optional.empty();
          }
        };
    ApplicationContext application = new ApplicationContext(() -> Runnable::run, true, () -> {});
    releases.context =
        new ApplicationContextBean() {
          @Override
          public ApplicationContext get() {
            return application;
          }
        };
    releases.wire();
    broken.set(4);
    releases.startUp(null);

    await().until(() -> broken.get() == 0);
    int before = asked.get();
    await().until(() -> asked.get() > before);
    assertThat(releases.queues.numbers()).containsOnly(Map.entry("shipping", new Strength(2, 2)));
  }
}
