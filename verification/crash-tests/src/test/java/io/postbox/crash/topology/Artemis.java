package io.postbox.crash.topology;

import static org.awaitility.Awaitility.await;

import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
import io.postbox.testkit.database.Backend;
import io.postbox.testkit.disk.SmallDisks;
import io.postbox.testkit.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionTimeoutException;

/** An Artemis broker in a process of its own, as liberty-config wants it. */
public final class Artemis implements MessageBroker, Backend {
  private static final String DEAD_LETTERS = "DLQ";

  /** Longer than it looks at its disk's space again. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

  private final Settings settings;
  private final ArtemisBroker broker;

  private Artemis(Settings settings, ArtemisBroker broker) {
    this.settings = settings;
    this.broker = broker;
  }

  /**
   * Starts one.
   *
   * @param data where its journal lies; it is emptied
   */
  public static Artemis start(Settings settings, Path data) {
    Artemis artemis = new Artemis(settings, ArtemisBroker.anew(data, queues()));
    artemis.start();
    return artemis;
  }

  /**
   * Starts one whose journal lies on a disk that can be full.
   *
   * @param data the folder with that disk
   */
  static Artemis start(Settings settings, Path data, SmallDisks disks) {
    ArtemisBroker broker =
        new ArtemisBroker(data, queues(), command -> disks.through(data, command));
    Artemis artemis = new Artemis(settings, broker);
    artemis.start();
    return artemis;
  }

  private static BrokerSettings queues() {
    return BrokerSettings.of(
        List.of(
            "SHIPPING",
            "ORDERS",
            "BILLING",
            "VERSIONS",
            "VERSIONS-CAPTURED",
            "JOBS",
            "JOBS-CAPTURED",
            DEAD_LETTERS));
  }

  int port() {
    return broker.settings().port();
  }

  @Override
  public void kill() {
    broker.kill();
  }

  @Override
  public void start() {
    broker.start();
    broker.awaitUp();
  }

  /** Starts it if it does not answer; returns whether it had to. */
  boolean revive() {
    try {
      await("Artemis").atMost(LONGEST_SILENCE).until(broker::answers);
      return false;
    } catch (ConditionTimeoutException silent) {
      kill();
      start();
      return true;
    }
  }

  @Override
  public void freeze() {
    broker.freeze();
  }

  @Override
  public void thaw() {
    broker.thaw();
  }

  @Override
  public Map<String, String> variables() {
    return Map.of(
        "postbox.messaging",
        "artemis",
        "postbox.artemis.port",
        String.valueOf(port()),
        "postbox.artemis.user",
        BrokerSettings.USER,
        "postbox.artemis.password",
        BrokerSettings.USER,
        "postbox.artemis.rar",
        settings.workspace().artifacts().resolve("postbox-artemis-rar.rar").toString());
  }

  @Override
  public Map<String, Long> depths(ServerProcess server) {
    return broker.counts();
  }

  @Override
  public Map<String, Long> consumers() {
    return broker.consumers();
  }

  @Override
  public String deadLetters() {
    return DEAD_LETTERS;
  }

  @Override
  public void close() {
    broker.close();
  }
}
