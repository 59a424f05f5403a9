package io.postbox.it.crash;

import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An Artemis broker in a process of its own, as liberty-config wants it. */
final class Artemis implements MessageBroker, Backend {
  private static final String DEAD_LETTERS = "DLQ";

  private final Settings settings;
  private final ArtemisBroker broker;

  private Artemis(Settings settings, ArtemisBroker broker) {
    this.settings = settings;
    this.broker = broker;
  }

  /**
   * Starts one.
   *
   * @param data where its journal lies; what was in it is gone
   */
  static Artemis start(Settings settings, Path data) {
    BrokerSettings queues = BrokerSettings.of(List.of("SHIPPING", "ORDERS", DEAD_LETTERS));
    Artemis artemis = new Artemis(settings, ArtemisBroker.anew(data, queues));
    artemis.broker.start();
    artemis.broker.awaitUp();
    return artemis;
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
        settings.artifacts().resolve("artemis-rar.rar").toString());
  }

  @Override
  public Map<String, Long> depths(ServerFolder folder) {
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
