package io.postbox.test.config;

import io.postbox.common.config.Settings;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfigReader;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfigReader;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.Config;

/**
 * The settings of a test, as MicroProfile Config would give them to an application. The process's
 * environment and system properties are not among them.
 */
public final class TestSettings {
  /** The application's name, unless {@code postbox.service} gives another one. */
  public static final String APPLICATION = "test";

  private static final int ORDINAL = 100;

  private final Map<String, String> settings;

  /**
   * @param settings keys of docs/configuration.md, and the application's own
   */
  public TestSettings(Map<String, String> settings) {
    this.settings = new HashMap<>(settings);
    this.settings.putIfAbsent("postbox.outbox.create-tables", "true");
    this.settings.putIfAbsent("postbox.inbox.create-tables", "true");
  }

  /** All of them, as the application reads them. */
  public Config config() {
    return new SmallRyeConfigBuilder()
        .withSources(new PropertiesConfigSource(settings, "test", ORDINAL))
        .build();
  }

  /**
   * Those of the outbox.
   *
   * @throws io.postbox.common.config.ConfigurationException naming every wrong value and unknown
   *     key
   */
  public OutboxConfig outbox() {
    return OutboxConfigReader.read(config(), APPLICATION);
  }

  /**
   * Those of the inbox, for any consumers.
   *
   * @throws io.postbox.common.config.ConfigurationException naming every wrong value and unknown
   *     key
   */
  public InboxConfig inbox() {
    return InboxConfigReader.read(config(), APPLICATION, new DeployedConsumers(Set.of(), true));
  }

  /**
   * Checks that settings of single consumers are for those that there are.
   *
   * @throws io.postbox.common.config.ConfigurationException if one is not
   */
  public static void requireFor(InboxConfig config, String... consumers) {
    Settings.check(
        new DeployedConsumers(Set.of(consumers), false).unclaimed(config.consumers().keySet()));
  }
}
