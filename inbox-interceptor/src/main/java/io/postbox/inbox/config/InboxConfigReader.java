package io.postbox.inbox.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.microprofile.config.Config;

/** Turns MicroProfile Config into an {@link InboxConfig}, or says all that is wrong with it. */
public final class InboxConfigReader {
  private static final String PREFIX = "postbox.inbox.";

  private InboxConfigReader() {}

  /**
   * Reads the whole configuration.
   *
   * @param config the application's configuration
   * @param application the name of the application, which owns the tables unless {@code
   *     postbox.service} says otherwise
   * @throws ConfigurationException naming every wrong value and unknown key
   */
  public static InboxConfig read(Config config, String application) {
    Set<String> names = new HashSet<>();
    config.getPropertyNames().forEach(names::add);
    return read(names, key -> config.getOptionalValue(key, String.class), application);
  }

  static InboxConfig read(
      Set<String> names, Function<String, Optional<String>> lookup, String application) {
    Settings common = new Settings("postbox.", names, lookup);
    String service = common.name("service", application);
    UnknownKeys unknownKeys = common.choice("unknown-keys", UnknownKeys.REFUSE);

    Settings inbox = new Settings(PREFIX, names, lookup);
    InboxConfig config =
        new InboxConfig(
            service,
            inbox.text("data-source", "java:comp/DefaultDataSource"),
            new TableNames(inbox.identifier("schema", ""), inbox.identifier("table-prefix", "")),
            inbox.flag("create-tables", false),
            inbox.unknown());
    List<String> problems = new ArrayList<>(common.problems());
    problems.addAll(inbox.problems());
    if (unknownKeys == UnknownKeys.REFUSE) {
      problems.addAll(config.unknownKeys());
    }
    Settings.check(problems);
    return config;
  }

  private enum UnknownKeys {
    REFUSE,
    REPORT
  }
}
