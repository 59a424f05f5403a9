package io.postbox.sample.start;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Prints the sample's address once it really answers there. (At the end of this bean's own start
 * the web part is not up yet, and the port may be taken.) It prints to the console, because the
 * console shows no INFO.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class ReadyAnnouncement {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(300);

  @Resource ManagedScheduledExecutorService executor;

  @Inject
  @ConfigProperty(name = "http.port", defaultValue = "9080")
  int port;

  /** On some servers it is that of their management. */
  @Inject
  @ConfigProperty(name = "sample.health.port")
  Optional<Integer> healthPort;

  @Inject Node node;

  private volatile @Nullable Future<?> next;

  @PostConstruct
  void begin() {
    lookSoon(
        new SampleProbe(port, healthPort.orElse(port), node.id()), Instant.now().plus(PATIENCE));
  }

  @PreDestroy
  void stop() {
    Future<?> waiting = next;
    if (waiting != null) {
      waiting.cancel(true);
    }
  }

  private void lookSoon(SampleProbe door, Instant deadline) {
    next =
        executor.schedule(
            () -> look(door, deadline), BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look(SampleProbe door, Instant deadline) {
    Optional<String> obstacle = door.obstacle();
    if (obstacle.isEmpty()) {
      say("Postbox sample is ready: " + door.address());
    } else if (Instant.now().isAfter(deadline)) {
      say("Postbox sample is not ready after " + PATIENCE.toSeconds() + " s. " + obstacle.get());
    } else {
      lookSoon(door, deadline);
    }
  }

  @SuppressWarnings("SystemOut") // for the person at the console, not for the log
  private static void say(String sentence) {
    System.out.println(sentence);
  }
}
