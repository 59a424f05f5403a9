package io.postbox.console.outbox;

import io.postbox.common.KeptNumbers;
import io.postbox.common.Paused;
import io.postbox.common.RuntimePolicy;
import io.postbox.console.api.Concern;
import io.postbox.console.api.Concern.Kind;
import io.postbox.console.api.ModuleView;
import io.postbox.console.http.Cached;
import io.postbox.console.http.Json;
import io.postbox.console.http.Problem;
import io.postbox.console.http.RetryFields;
import io.postbox.console.http.Words;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxNodes;
import io.postbox.outbox.OutboxPolicies;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationThroughput;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.WaitingMessages;
import io.postbox.outbox.WaitingMessages.Redirect;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.eclipse.microprofile.config.ConfigProvider;

/** The outbox in numbers, a few seconds old at most, and what in them needs somebody. */
@ApplicationScoped
public class OutboxHalf implements ModuleView {
  /** Counting costs more the more messages wait, and every open page asks. */
  private static final Duration COUNTS_FOR = Duration.ofSeconds(5);

  private static final Duration NODES_FOR = Duration.ofSeconds(1);
  private static final Pattern NAME = Pattern.compile("[^:*\\\\\"'`\\p{Cntrl}]{1,100}");
  private static final int MOST_HOLDERS = 10;
  private static final long DEFAULT_WARN_COUNT = 1_000_000;
  private static final long DEFAULT_MAX_COUNT = 100_000_000;

  @Inject OutboxStatistics statistics;
  @Inject OutboxNodes outboxNodes;
  @Inject RelayControl relay;
  @Inject OutboxPolicies policies;
  @Inject WaitingMessages waiting;

  private final Cached<Counted> counted =
      new Cached<>(() -> new Counted(System.nanoTime(), statistics.byDestination()), COUNTS_FOR);
  private final Cached<List<OutboxNode>> reported =
      new Cached<>(() -> outboxNodes.list(), NODES_FOR);
  private final Cached<List<Paused>> paused = new Cached<>(() -> relay.paused(), NODES_FOR);
  private final Cached<List<Redirect>> redirected =
      new Cached<>(() -> waiting.redirects(), NODES_FOR);
  private final Cached<List<RuntimePolicy<OutboxPolicy>>> set =
      new Cached<>(() -> policies.list(), NODES_FOR);

  private record Counted(long nanos, List<DestinationStatistics> destinations) {}

  /** The destinations that have messages, a few seconds ago; what waited then has waited longer. */
  List<DestinationStatistics> destinations() {
    Counted last = counted.get();
    return since(last.destinations(), Duration.ofNanos(System.nanoTime() - last.nanos()));
  }

  static List<DestinationStatistics> since(List<DestinationStatistics> counts, Duration ago) {
    return counts.stream()
        .map(
            each ->
                new DestinationStatistics(
                    each.destination(),
                    each.pending(),
                    each.held(),
                    each.delayed(),
                    each.dead(),
                    each.pending() > 0 ? each.oldestPending().plus(ago) : Duration.ZERO,
                    each.estimated()))
        .toList();
  }

  @Override
  public List<OutboxNode> reports() {
    return reported.get();
  }

  /** Somebody has changed something here, and wants to see it; or a name may have come since. */
  void forget() {
    counted.forget();
    paused.forget();
    redirected.forget();
    set.forget();
  }

  /** Whether the server has a queue or topic for a destination that has no key of its own. */
  @SuppressWarnings("BanJNDI") // below jms/, as the relay does with names of the same rule
  static boolean isBound(String destination) {
    if (!NAME.matcher(destination).matches() || destination.contains("..")) {
      return false;
    }
    try {
      Object found = InitialContext.doLookup("jms/" + destination);
      return found != null && !(found instanceof Context);
    } catch (NamingException none) {
      return false;
    }
  }

  @Override
  public String module() {
    return "outbox";
  }

  @Override
  public JsonObject counts() {
    DestinationStatistics sum =
        destinations().stream().reduce(DestinationStatistics.none(""), DestinationStatistics::plus);
    return Json.object()
        .put("pending", sum.pending())
        .put("held", sum.held())
        .put("delayed", sum.delayed())
        .put("dead", sum.dead())
        .put("oldestPendingSeconds", sum.oldestPending())
        .put("estimated", sum.estimated())
        .put("relayed", throughput(DestinationThroughput::sent))
        .put("attemptsFailed", throughput(DestinationThroughput::failed))
        .put("paused", paused.get().stream().anyMatch(it -> it.name().equals(RelayControl.ALL)))
        .put(
            "limits",
            Json.object()
                .put("messages", limit("max-count", DEFAULT_MAX_COUNT))
                .put("warnMessages", limit("warn-count", DEFAULT_WARN_COUNT)))
        .build();
  }

  /** The counts of this node since its start, by destination. */
  Map<String, DestinationThroughput> throughput() {
    return statistics.onThisNode().stream()
        .collect(Collectors.toMap(DestinationThroughput::destination, it -> it));
  }

  private long throughput(ToLongFunction<DestinationThroughput> count) {
    return statistics.onThisNode().stream().mapToLong(count).sum();
  }

  @Override
  public Optional<Json> paused() {
    return paused.get().stream()
        .filter(it -> it.name().equals(RelayControl.ALL))
        .findFirst()
        .map(Json::of);
  }

  private static long limit(String key, long otherwise) {
    return ConfigProvider.getConfig()
        .getOptionalValue("postbox.outbox.backlog." + key, Long.class)
        .orElse(otherwise);
  }

  @Override
  public List<Concern> concerns() {
    return concerns(
        destinations(),
        reports(),
        paused.get(),
        redirected.get(),
        set.get(),
        limit("warn-count", DEFAULT_WARN_COUNT),
        limit("max-count", DEFAULT_MAX_COUNT));
  }

  static List<Concern> concerns(
      List<DestinationStatistics> destinations,
      List<OutboxNode> nodes,
      List<Paused> paused,
      List<Redirect> redirects,
      List<RuntimePolicy<OutboxPolicy>> policies,
      long warnCount,
      long maxCount) {
    DestinationStatistics sum =
        destinations.stream().reduce(DestinationStatistics.none(""), DestinationStatistics::plus);
    List<OutboxNode> alive = nodes.stream().filter(OutboxNode::alive).toList();
    List<String> open =
        alive.stream()
            .flatMap(node -> node.breakers().stream())
            .map(OutboxNode.OpenBreaker::destination)
            .distinct()
            .sorted()
            .toList();
    long stuck =
        alive.stream()
            .flatMap(node -> node.stuckPartitions().stream())
            .map(OutboxNode.StuckPartition::partition)
            .distinct()
            .count();
    long waiting = sum.pending() + sum.delayed();
    return Concern.some(
        Concern.of(
            Kind.DEAD_LETTERS,
            sum.dead(),
            "{# dead letter waits|# dead letters wait} for a decision: "
                + Concern.names(
                    destinations.stream().filter(each -> each.dead() > 0),
                    DestinationStatistics::destination),
            "#/failures"),
        Concern.of(
            Kind.HELD_KEYS,
            sum.held(),
            "{# message waits|# messages wait} behind a failed one of their ordering key.",
            "#/failures"),
        Concern.of(
            Kind.OPEN_BREAKERS,
            open.size(),
            "Nothing is sent to {# destination|# destinations}, which failed: "
                + Concern.names(open.stream(), it -> it),
            "#/destinations"),
        Concern.of(
            Kind.STUCK_PARTITIONS,
            stuck,
            "{# partition is|# partitions are} held by a transaction that sends nothing.",
            "#/nodes"),
        Concern.of(
            Kind.PAUSED,
            paused.size(),
            paused.stream().anyMatch(it -> it.name().equals(RelayControl.ALL))
                ? "Somebody has paused all destinations."
                : "{# destination is|# destinations are} paused: "
                    + Concern.names(paused.stream(), Paused::name),
            "#/destinations"),
        waiting >= maxCount
            ? Concern.of(
                Kind.FULL_BACKLOG,
                waiting,
                "{# message waits|# messages wait}, and enqueue refuses more.",
                "#/destinations")
            : Concern.of(
                Kind.LARGE_BACKLOG,
                waiting >= warnCount ? waiting : 0,
                "{# message waits|# messages wait}.",
                "#/destinations"),
        Concern.of(
            Kind.REDIRECTED,
            redirects.size(),
            "{# destination is|# destinations are} redirected: "
                + Concern.names(redirects.stream(), it -> it.destination() + " to " + it.target()),
            "#/policies"),
        Concern.of(
            Kind.POLICIES,
            policies.size(),
            "Somebody has set a policy of {# destination|# destinations}: "
                + Concern.names(policies.stream(), RuntimePolicy::name),
            "#/policies"),
        Concern.ofFindings("outbox", alive.stream().flatMap(node -> node.findings().stream())));
  }

  @Override
  public KeptNumbers numbers() {
    return statistics;
  }

  @Override
  public List<RuntimeValue> runtimeValues() {
    return policies.list().stream().flatMap(OutboxHalf::values).toList();
  }

  private static Stream<RuntimeValue> values(RuntimePolicy<OutboxPolicy> set) {
    Map<String, String> values = RetryFields.byKey(set.policy().retries());
    set.policy().onDeadLetter().ifPresent(it -> values.put("on-dead-letter", Words.of(it)));
    return RuntimeValue.of("postbox.outbox.destination.", values, set);
  }

  @Override
  public JsonArray nodes() {
    Map<Integer, Optional<String>> holders = new HashMap<>();
    return Json.array(
        reports(), node -> OutboxJson.node(node, partition -> holder(partition, holders)));
  }

  /** Asked once for all nodes that are refused, and not for as many as there may be. */
  private Optional<String> holder(int partition, Map<Integer, Optional<String>> known) {
    if (!known.containsKey(partition) && known.size() == MOST_HOLDERS) {
      return Optional.empty();
    }
    return known.computeIfAbsent(partition, outboxNodes::holder);
  }

  @Override
  public Optional<Problem> problem(Throwable thrown) {
    if (thrown instanceof UnsupportedOperationException) {
      return Optional.of(
          Problem.conflict(
              "connector-sends",
              "A connector sends",
              "With postbox.outbox.relay.mode=cdc no node sends, so this has no effect; nothing was"
                  + " changed.",
              "Stop the connector, or have it do this."));
    }
    return thrown instanceof MessageRefusedException
        ? Optional.of(
            Problem.invalid(
                "The message could not be sent like that, or cannot be decrypted here; nothing was"
                    + " changed.",
                "See that the payload is not larger than postbox.outbox.max-payload, that every"
                    + " property has a name that JMS takes, and that none begins with JMS, Outbox"
                    + " or Inbox."))
        : Optional.empty();
  }

  @Override
  public boolean isOwnFailure(Throwable thrown) {
    return thrown instanceof OutboxException;
  }
}
