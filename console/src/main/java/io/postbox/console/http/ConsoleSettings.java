package io.postbox.console.http;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** The console's own keys, read once. A value that cannot be used leaves the console off. */
@ApplicationScoped
public class ConsoleSettings {
  private static final String ENABLED = "postbox.console.enabled";
  private static final String ACTIONS_PER_MINUTE = "postbox.console.actions-per-minute";

  /** By which names it is asked, beside its addresses and localhost. */
  private static final String HOSTS = "postbox.console.hosts";

  private static final int DEFAULT_ACTIONS = 30;
  private static final int MOST_ACTIONS = 10_000;

  private final Optional<Integer> actionsPerMinute;
  private final RequestPolicy requests;
  private final boolean enabled;

  /** Reads them. */
  public ConsoleSettings() {
    Config config = ConfigProvider.getConfig();
    actionsPerMinute =
        config
            .getOptionalValue(ACTIONS_PER_MINUTE, String.class)
            .map(ConsoleSettings::whole)
            .orElse(Optional.of(DEFAULT_ACTIONS));
    List<String> hosts =
        config.getOptionalValue(HOSTS, String.class).stream()
            .flatMap(names -> Stream.of(names.split(",", -1)))
            .map(String::strip)
            .toList();
    requests = new RequestPolicy(hosts);
    enabled =
        actionsPerMinute.isPresent()
            && hosts.stream().allMatch(name -> name.matches("[A-Za-z0-9._-]+"))
            && config
                .getOptionalValue(ENABLED, String.class)
                .map(value -> value.strip().equalsIgnoreCase("true"))
                .orElse(false);
  }

  private static Optional<Integer> whole(String value) {
    String digits = value.strip();
    return digits.matches("[0-9]{1,5}")
        ? Optional.of(Integer.valueOf(digits)).filter(it -> it >= 1 && it <= MOST_ACTIONS)
        : Optional.empty();
  }

  /** Whether the console answers at all. */
  public boolean enabled() {
    return enabled;
  }

  /** How many plans and actions one person may make in a minute, on one node. */
  public int actionsPerMinute() {
    return actionsPerMinute.orElse(DEFAULT_ACTIONS);
  }

  /** Decides which requests get in. */
  RequestPolicy requests() {
    return requests;
  }
}
