package io.postbox.outbox.config;

import io.postbox.common.config.Backoff;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.Retries;
import io.postbox.common.config.Settings;
import io.postbox.common.config.SharedSettings;
import io.postbox.common.config.TableNames;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import io.postbox.outbox.config.OutboxConfig.Backlog;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.config.OutboxConfig.DuplicateDetection;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.config.OutboxConfig.RelayConfig;
import io.postbox.outbox.config.OutboxConfig.RelayMode;
import io.postbox.outbox.config.OutboxConfig.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/** Turns MicroProfile Config into an {@link OutboxConfig}, or reports all errors at once. */
public final class OutboxConfigReader {
  private static final String PREFIX = "postbox.outbox.";
  private static final Recovery DEFAULTS =
      new Recovery(
          10, new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5)), OnDeadLetter.HOLD);
  private static final Duration CENTURY = Duration.ofDays(36_500);

  private static final List<String> OF_DESTINATIONS =
      List.of("max-attempts", "backoff.first", "backoff.max", "on-dead-letter");

  private static final Pattern SLOT = Pattern.compile("[a-z0-9_]{1,63}");
  private static final String WITH_CDC =
      "%s contradicts postbox.outbox.relay.mode=cdc, in which %s: leave one of them out";

  private OutboxConfigReader() {}

  /**
   * Reads the whole configuration.
   *
   * @param config the application's configuration
   * @param application the name of the application, which owns the tables unless {@code
   *     postbox.service} says otherwise
   * @throws ConfigurationException naming every wrong value and unknown key
   */
  public static OutboxConfig read(Config config, String application) {
    Set<String> names = new HashSet<>();
    config.getPropertyNames().forEach(names::add);
    return read(names, key -> config.getOptionalValue(key, String.class), application);
  }

  static OutboxConfig read(
      Set<String> names, Function<String, Optional<String>> lookup, String application) {
    SharedSettings shared = new SharedSettings("outbox", names, lookup, application);
    Settings outbox = shared.own();
    Recovery ofAll = recovery(outbox, "", DEFAULTS);
    Destinations destinations =
        new Destinations(
            outbox.words(
                "destinations",
                OutboxConfigReader::areDestinations,
                "names of destinations separated by commas; " + Destinations.NAME_RULE),
            outbox.named("destination", "jndi-name"),
            outbox.namedInEnvironment("destination", "jndi-name"));
    Set<String> named = outbox.namesIn("destination", OF_DESTINATIONS, destinations.listed());
    OutboxConfig config =
        new OutboxConfig(
            shared.service(),
            outbox.text("data-source", "java:comp/DefaultDataSource"),
            new TableNames(outbox.identifier("schema", ""), outbox.identifier("table-prefix", "")),
            outbox.flag("create-tables", false),
            outbox.text("connection-factory", "java:comp/DefaultJMSConnectionFactory"),
            outbox.whole("partitions", 16, 1, 1024),
            outbox.whole("max-payload", 1 << 20, 1, 100 << 20),
            ofAll.maxAttempts(),
            ofAll.backoff(),
            ofAll.onDeadLetter(),
            outbox.choice("after-sending", AfterSending.DELETE),
            outbox.choice("delivery", Delivery.LOCAL),
            outbox.choice("duplicate-detection", DuplicateDetection.NONE),
            new Retention(
                outbox.duration("retention", Duration.ofDays(7), Duration.ofSeconds(1), CENTURY),
                outbox.choice("archive-partitions", ArchivePartitions.NONE)),
            backlog(outbox),
            new RelayConfig(
                outbox.choice("relay.mode", RelayMode.POLLING),
                outbox.text("relay.slot", "postbox_outbox"),
                outbox.flag("relay.enabled", true),
                outbox.whole("relay.workers", 4, 1, 64),
                outbox.whole("relay.batch-size", 1_000, 1, 10_000),
                outbox.duration(
                    "relay.send-timeout",
                    Duration.ofSeconds(30),
                    Duration.ofMillis(100),
                    Duration.ofMinutes(10))),
            destinations,
            recoveries(outbox, ofAll, named),
            shared.confidentiality(),
            shared.metrics(),
            unknown(shared, destinations, named));
    shared.check(contradictions(config), config.unknownKeys());
    return config;
  }

  /** Settings that ask a connector for what only a relay of ours can do. */
  private static List<String> contradictions(OutboxConfig config) {
    List<String> found = new ArrayList<>();
    if (!SLOT.matcher(config.relay().slot()).matches()) {
      found.add(
          "postbox.outbox.relay.slot=%s: expected 1 to 63 lower-case letters, digits or _"
              .formatted(config.relay().slot()));
    }
    if (config.relay().isCdc()) {
      if (config.delivery() != Delivery.LOCAL) {
        found.add(
            WITH_CDC.formatted(
                "postbox.outbox.delivery=xa", "no node sends, so nothing has two phases"));
      }
      if (config.afterSending() != AfterSending.DELETE) {
        found.add(
            WITH_CDC.formatted(
                "postbox.outbox.after-sending="
                    + config.afterSending().name().toLowerCase(Locale.ROOT),
                "a row leaves with its own transaction, before it is sent"));
      }
      if (config.duplicateDetection() != DuplicateDetection.NONE) {
        found.add(
            WITH_CDC.formatted(
                "postbox.outbox.duplicate-detection=artemis",
                "the connector sets no property of Artemis"));
      }
      if (config.confidentiality().encryptionRequired()) {
        found.add(
            WITH_CDC.formatted(
                "postbox.encryption=required", "the connector would send what nobody can read"));
      }
    }
    return found;
  }

  private static List<String> unknown(
      SharedSettings shared, Destinations destinations, Set<String> named) {
    return Stream.of(
            shared.unknown(),
            objections(destinations, destinations.jndiNames().keySet(), ".jndi-name: "),
            objections(destinations, named, ": "))
        .flatMap(problems -> problems)
        .toList();
  }

  private static Stream<String> objections(
      Destinations destinations, Set<String> names, String key) {
    return names.stream()
        .sorted()
        .flatMap(
            name ->
                destinations
                    .objection(name)
                    .map((PREFIX + "destination." + name + key)::concat)
                    .stream());
  }

  /** Those of destinations with keys of their own. */
  private static Map<String, Recovery> recoveries(
      Settings outbox, Recovery ofAll, Set<String> named) {
    Map<String, Recovery> recoveries = new HashMap<>();
    for (String name : named) {
      Recovery own = recovery(outbox, "destination." + name + ".", ofAll);
      if (!own.equals(ofAll)) {
        recoveries.put(name, own);
      }
    }
    return recoveries;
  }

  private static Recovery recovery(Settings outbox, String prefix, Recovery otherwise) {
    return new Recovery(
        outbox.whole(prefix + "max-attempts", otherwise.maxAttempts(), 1, Retries.MOST_ATTEMPTS),
        outbox.backoff(prefix, otherwise.backoff()),
        outbox.choice(prefix + "on-dead-letter", otherwise.onDeadLetter()));
  }

  /** Each hard limit is at least the warning limit. */
  private static Backlog backlog(Settings outbox) {
    int warnCount = outbox.whole("backlog.warn-count", 1_000_000, 1, Integer.MAX_VALUE);
    Duration warnAge =
        outbox.duration("backlog.warn-age", Duration.ofMinutes(15), Duration.ofSeconds(1), CENTURY);
    return new Backlog(
        warnCount,
        outbox.whole(
            "backlog.max-count", Math.max(warnCount, 100_000_000), warnCount, Integer.MAX_VALUE),
        warnAge,
        outbox.duration("backlog.max-age", CENTURY, warnAge, CENTURY));
  }

  private static boolean areDestinations(Set<String> names) {
    return names.stream().allMatch(Destinations::isName);
  }
}
