package io.postbox.it.artemis;

import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.crash.SampleServer.Clients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** PostgreSQL and an Artemis broker, in the real server. */
class ArtemisIT {
  private static @Nullable ArtemisServer started;

  @BeforeAll
  static void start() {
    started = new ArtemisServer("artemis", Path.of(System.getProperty("postbox.work")));
    started.start();
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  @Test
  void everyOrderGoesAllTheWay() {
    ArtemisServer it = Objects.requireNonNull(started);
    Clients clients = it.sample().clients();
    patience(Duration.ofSeconds(30)).until(() -> it.sample().acknowledged() >= 100);
    clients.close();

    patience(Duration.ofSeconds(30)).until(it.sample()::atRest);

    assertThat(it.sample().violations(it.broker().counts())).isEmpty();
  }
}
