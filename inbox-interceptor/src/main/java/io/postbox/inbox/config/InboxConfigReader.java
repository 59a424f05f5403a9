package io.postbox.inbox.config;

import io.postbox.common.config.Backoff;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.Retries;
import io.postbox.common.config.Settings;
import io.postbox.common.config.SharedSettings;
import io.postbox.common.config.TableNames;
import io.postbox.inbox.config.ConsumerConfig.AfterProcessing;
import io.postbox.inbox.config.ConsumerConfig.Capture;
import io.postbox.inbox.config.ConsumerConfig.OnParked;
import io.postbox.inbox.config.ConsumerConfig.Quota;
import io.postbox.inbox.config.ConsumerConfig.Replies;
import io.postbox.inbox.config.ConsumerConfig.VersionOrder;
import io.postbox.inbox.config.ConsumerConfig.WhenFull;
import io.postbox.inbox.config.InboxConfig.OnMismatch;
import io.postbox.inbox.config.InboxConfig.TablePartitioning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;

/** Turns MicroProfile Config into an {@link InboxConfig}, or reports all errors at once. */
public final class InboxConfigReader {
  private static final String PREFIX = "postbox.inbox.";
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration CENTURY = Duration.ofDays(36_500);

  private static final String NO_PLACE = "none";
  private static final String TEMPORARY = "temporary";
  private static final Pattern REPLY_DESTINATION = Pattern.compile("(queue|topic):.{1,490}");

  /** The largest payload that any outbox sends. */
  private static final int LARGEST_PAYLOAD = 104_857_600;

  private static final long GIBIBYTE = 1L << 30;
  private static final long MOST_BYTES = 1L << 50;

  private static final VersionOrder FROM_ONE =
      new VersionOrder(OptionalLong.of(1), 1_000_000, GIBIBYTE, Duration.ofMinutes(10));

  private static final ConsumerConfig DEFAULTS =
      new ConsumerConfig(
          10,
          3,
          200,
          LARGEST_PAYLOAD,
          new Backoff(Duration.ofSeconds(1), LONGEST_WAIT),
          Duration.ofDays(7),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          new Replies(true, Set.of(), DAY),
          new Quota(100_000, GIBIBYTE, WhenFull.PAUSE, 10_000_000),
          Optional.empty(),
          new Capture(
              4,
              OnParked.HOLD,
              AfterProcessing.DELETE,
              Duration.ofMinutes(10),
              1_000_000,
              GIBIBYTE));

  private static final List<String> OF_CONSUMERS =
      List.of(
          "max-attempts",
          "max-crashes",
          "max-transient-failures",
          "max-body",
          "dead-queue",
          "backoff.first",
          "backoff.max",
          "retention",
          "connection-factory",
          "retry-destination",
          "reply-to",
          "reply-time-to-live",
          "quota.messages",
          "quota.bytes",
          "quota.when-full",
          "quota.aggregates",
          "order",
          "order.first-version",
          "order.longest-gap",
          "early.limit",
          "early.bytes",
          "capture.workers",
          "capture.on-parked",
          "capture.after-processing",
          "capture.longest-silence",
          "capture.limit",
          "capture.bytes");

  /** Of these nothing is done for a consumer that does not order versions. */
  private static final List<String> OF_VERSION_ORDER =
      List.of("early.limit", "early.bytes", "order.longest-gap");

  private InboxConfigReader() {}

  /**
   * Reads the whole configuration.
   *
   * @param config the application's configuration
   * @param application the name of the application, which owns the tables unless {@code
   *     postbox.service} says otherwise
   * @param consumers the application's consumers, whose keys are also looked up by name, because
   *     the names of environment variables do not show them
   * @throws ConfigurationException naming every wrong value and unknown key
   */
  public static InboxConfig read(Config config, String application, DeployedConsumers consumers) {
    Set<String> names = new HashSet<>();
    config.getPropertyNames().forEach(names::add);
    return read(names, key -> config.getOptionalValue(key, String.class), application, consumers);
  }

  static InboxConfig read(
      Set<String> names,
      Function<String, Optional<String>> lookup,
      String application,
      DeployedConsumers deployed) {
    SharedSettings shared = new SharedSettings("inbox", names, lookup, application);
    Settings inbox = shared.own();
    ConsumerConfig others = consumer(inbox, "", DEFAULTS);
    InboxConfig config =
        new InboxConfig(
            shared.service(),
            inbox.text("data-source", "java:comp/DefaultDataSource"),
            new TableNames(inbox.identifier("schema", ""), inbox.identifier("table-prefix", "")),
            inbox.flag("create-tables", false),
            inbox.optional("connection-factory"),
            inbox.choice("on-mismatch", OnMismatch.QUARANTINE),
            inbox.duration("outage-wait", Duration.ofSeconds(20), Duration.ZERO, LONGEST_WAIT),
            inbox.duration("stop-grace", Duration.ofSeconds(10), Duration.ZERO, LONGEST_WAIT),
            inbox.choice("table-partitioning", TablePartitioning.NONE),
            shared.confidentiality(),
            others,
            consumers(inbox, others, deployed),
            shared.metrics(),
            shared.unknown().toList());
    List<String> unknown = new ArrayList<>(config.unknownKeys());
    unknown.addAll(deployed.mistyped(config.consumers().keySet()));
    shared.check(withoutOrder(inbox, config.consumers()), unknown);
    return config;
  }

  private static Map<String, ConsumerConfig> consumers(
      Settings inbox, ConsumerConfig others, DeployedConsumers deployed) {
    Map<String, ConsumerConfig> consumers = new HashMap<>();
    for (String name : inbox.namesIn("consumer", OF_CONSUMERS, deployed.names())) {
      consumers.put(name, consumer(inbox, "consumer." + name + ".", others));
    }
    return Map.copyOf(consumers);
  }

  /**
   * Reads the keys of one consumer, or those that apply to all.
   *
   * @param prefix empty for all
   */
  private static ConsumerConfig consumer(Settings inbox, String prefix, ConsumerConfig otherwise) {
    boolean isOne = !prefix.isEmpty();
    return new ConsumerConfig(
        inbox.whole(prefix + "max-attempts", otherwise.maxAttempts(), 1, Retries.MOST_ATTEMPTS),
        inbox.whole(prefix + "max-crashes", otherwise.maxCrashes(), 1, 1_000_000),
        inbox.whole(
            prefix + "max-transient-failures", otherwise.maxTransientFailures(), 1, 1_000_000),
        inbox.whole(prefix + "max-body", otherwise.maxBody(), 1, Integer.MAX_VALUE),
        inbox.backoff(prefix, otherwise.backoff()),
        inbox.duration(prefix + "retention", otherwise.retention(), Duration.ofSeconds(1), CENTURY),
        isOne ? inbox.optional(prefix + "connection-factory") : Optional.empty(),
        isOne ? inbox.optional(prefix + "retry-destination") : Optional.empty(),
        inbox.optional(prefix + "dead-queue").or(otherwise::deadQueue),
        replies(inbox, prefix, otherwise.replies()),
        quota(inbox, prefix + "quota.", otherwise.quota()),
        isOne ? order(inbox, prefix) : Optional.empty(),
        capture(inbox, prefix + "capture.", otherwise.capture()));
  }

  private static Capture capture(Settings inbox, String prefix, Capture otherwise) {
    return new Capture(
        inbox.whole(prefix + "workers", otherwise.workers(), 1, 1_000),
        inbox.choice(prefix + "on-parked", otherwise.onParked()),
        inbox.choice(prefix + "after-processing", otherwise.afterProcessing()),
        inbox.duration(
            prefix + "longest-silence",
            otherwise.longestSilence(),
            Duration.ofSeconds(1),
            Duration.ofDays(1)),
        inbox.whole(prefix + "limit", otherwise.limit(), 1, Integer.MAX_VALUE),
        inbox.number(prefix + "bytes", otherwise.bytes(), 1, MOST_BYTES));
  }

  private static Quota quota(Settings inbox, String prefix, Quota otherwise) {
    return new Quota(
        inbox.whole(prefix + "messages", otherwise.messages(), 1, Integer.MAX_VALUE),
        inbox.number(prefix + "bytes", otherwise.bytes(), 1, MOST_BYTES),
        inbox.choice(prefix + "when-full", otherwise.whenFull()),
        inbox.whole(prefix + "aggregates", otherwise.aggregates(), 1, Integer.MAX_VALUE));
  }

  private static Replies replies(Settings inbox, String prefix, Replies otherwise) {
    Duration timeToLive =
        inbox.duration(
            prefix + "reply-time-to-live", otherwise.timeToLive(), Duration.ZERO, CENTURY);
    Set<String> places =
        inbox.words(
            prefix + "reply-to",
            InboxConfigReader::areReplyPlaces,
            "none, or a list of temporary, queue:NAME and topic:NAME separated by commas");
    return places.isEmpty()
        ? new Replies(otherwise.temporary(), otherwise.destinations(), timeToLive)
        : new Replies(
            places.contains(TEMPORARY),
            places.stream()
                .filter(place -> REPLY_DESTINATION.matcher(place).matches())
                .collect(Collectors.toSet()),
            timeToLive);
  }

  private static boolean areReplyPlaces(Set<String> places) {
    return places.equals(Set.of(NO_PLACE))
        || places.stream()
            .allMatch(
                place -> place.equals(TEMPORARY) || REPLY_DESTINATION.matcher(place).matches());
  }

  private static Optional<VersionOrder> order(Settings inbox, String prefix) {
    Order order = inbox.choice(prefix + "order", Order.NONE);
    VersionOrder versions =
        new VersionOrder(
            inbox.numberOr(
                "any",
                prefix + "order.first-version",
                FROM_ONE.firstVersion(),
                0,
                Integer.MAX_VALUE),
            inbox.whole(prefix + "early.limit", FROM_ONE.limit(), 1, Integer.MAX_VALUE),
            inbox.number(prefix + "early.bytes", FROM_ONE.bytes(), 1, MOST_BYTES),
            inbox.duration(
                prefix + "order.longest-gap",
                FROM_ONE.longestGap(),
                Duration.ofSeconds(1),
                CENTURY));
    return order == Order.VERSION ? Optional.of(versions) : Optional.empty();
  }

  /** The problems of keys for an order of versions that are set for consumers without one. */
  private static List<String> withoutOrder(Settings inbox, Map<String, ConsumerConfig> consumers) {
    List<String> problems = new ArrayList<>();
    for (Map.Entry<String, ConsumerConfig> each : new TreeMap<>(consumers).entrySet()) {
      if (each.getValue().order().isEmpty()) {
        String prefix = "consumer." + each.getKey() + ".";
        for (String key : OF_VERSION_ORDER) {
          inbox
              .optional(prefix + key)
              .ifPresent(
                  value ->
                      problems.add(
                          "%1$s%2$s%3$s=%4$s has no effect, because the consumer does not order versions: set %1$s%2$sorder=version too, or remove the key"
                              .formatted(PREFIX, prefix, key, value)));
        }
      }
    }
    return problems;
  }

  private enum Order {
    NONE,
    VERSION
  }
}
