package io.postbox.console.outbox;

import io.postbox.console.api.Concern;
import io.postbox.console.api.Concern.Kind;
import io.postbox.console.api.ModuleView;
import io.postbox.console.http.Cached;
import io.postbox.console.http.Half;
import io.postbox.console.http.Json;
import io.postbox.console.http.Problem;
import io.postbox.console.http.RetryFields;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxNodes;
import io.postbox.outbox.OutboxPolicies;
import io.postbox.outbox.OutboxPolicies.RuntimePolicy;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationThroughput;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.RelayControl.Paused;
import io.postbox.outbox.WaitingMessages;
import io.postbox.outbox.WaitingMessages.Redirect;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
public class OutboxHalf implements Half, ModuleView {
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
  private final Cached<List<RuntimePolicy>> set = new Cached<>(() -> policies.list(), NODES_FOR);

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

  /** The nodes, a moment ago. */
  List<OutboxNode> reports() {
    return reported.get();
  }

  /** Somebody has paused, redirected or set something here: they want to see it. */
  void forgetSettings() {
    paused.forget();
    redirected.forget();
    set.forget();
  }

  /** A name is not among those that are counted: it may have come since. */
  void forgetCounts() {
    counted.forget();
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
        destinations().stream()
            .map(
                each ->
                    new DestinationStatistics(
                        "",
                        each.pending(),
                        each.held(),
                        each.delayed(),
                        each.dead(),
                        each.oldestPending(),
                        each.estimated()))
            .reduce(DestinationStatistics.none(""), DestinationStatistics::plus);
    return Json.object()
        .put("pending", sum.pending())
        .put("held", sum.held())
        .put("delayed", sum.delayed())
        .put("dead", sum.dead())
        .put("oldestPendingSeconds", sum.oldestPending())
        .put("estimated", sum.estimated())
        .put("relayed", throughput(DestinationThroughput::sent))
        .put("attemptsFailed", throughput(DestinationThroughput::failed))
        .put(
            "paused",
            paused.get().stream().anyMatch(it -> it.destination().equals(RelayControl.ALL)))
        .put(
            "limits",
            Json.object()
                .put("messages", limit("max-count", DEFAULT_MAX_COUNT))
                .put("warnMessages", limit("warn-count", DEFAULT_WARN_COUNT))
                .build())
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
  public Optional<JsonObject> paused() {
    return paused.get().stream()
        .filter(it -> it.destination().equals(RelayControl.ALL))
        .findFirst()
        .map(OutboxJson::pause);
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
      List<RuntimePolicy> policies,
      long warnCount,
      long maxCount) {
    List<Concern> concerns = new ArrayList<>();
    long dead = destinations.stream().mapToLong(DestinationStatistics::dead).sum();
    Concern.add(
        concerns,
        Kind.DEAD_LETTERS,
        dead,
        "{# dead letter waits|# dead letters wait} for a decision: "
            + Concern.some(
                destinations.stream()
                    .filter(each -> each.dead() > 0)
                    .map(DestinationStatistics::destination)
                    .toList())
            + ".",
        "#/failures");
    long held = destinations.stream().mapToLong(DestinationStatistics::held).sum();
    Concern.add(
        concerns,
        Kind.HELD_KEYS,
        held,
        "{# message waits|# messages wait} behind a failed one of their ordering key.",
        "#/failures");
    List<OutboxNode> alive = nodes.stream().filter(OutboxNode::alive).toList();
    List<String> open =
        alive.stream()
            .flatMap(node -> node.breakers().stream())
            .map(OutboxNode.OpenBreaker::destination)
            .distinct()
            .sorted()
            .toList();
    Concern.add(
        concerns,
        Kind.OPEN_BREAKERS,
        open.size(),
        "Nothing is sent to {# destination|# destinations}, which failed: "
            + Concern.some(open)
            + ".",
        "#/destinations");
    long stuck =
        alive.stream()
            .flatMap(node -> node.stuckPartitions().stream())
            .map(OutboxNode.StuckPartition::partition)
            .distinct()
            .count();
    Concern.add(
        concerns,
        Kind.STUCK_PARTITIONS,
        stuck,
        "{# partition is|# partitions are} held by a transaction that sends nothing.",
        "#/nodes");
    Concern.add(
        concerns,
        Kind.PAUSED,
        paused.size(),
        paused.stream().anyMatch(it -> it.destination().equals(RelayControl.ALL))
            ? "Somebody has paused all destinations."
            : "{# destination is|# destinations are} paused: "
                + Concern.some(paused.stream().map(Paused::destination).toList())
                + ".",
        "#/destinations");
    long waiting = destinations.stream().mapToLong(each -> each.pending() + each.delayed()).sum();
    if (waiting >= maxCount) {
      Concern.add(
          concerns,
          Kind.FULL_BACKLOG,
          waiting,
          "{# message waits|# messages wait}, and enqueue refuses more.",
          "#/destinations");
    } else if (waiting >= warnCount) {
      Concern.add(
          concerns,
          Kind.LARGE_BACKLOG,
          waiting,
          "{# message waits|# messages wait}.",
          "#/destinations");
    }
    Concern.add(
        concerns,
        Kind.REDIRECTED,
        redirects.size(),
        "{# destination is|# destinations are} redirected: "
            + Concern.some(
                redirects.stream().map(it -> it.destination() + " to " + it.target()).toList())
            + ".",
        "#/policies");
    Concern.add(
        concerns,
        Kind.POLICIES,
        policies.size(),
        "Somebody has set a policy of {# destination|# destinations}: "
            + Concern.some(policies.stream().map(RuntimePolicy::destination).toList())
            + ".",
        "#/policies");
    Concern.addFindings(
        concerns, "outbox", alive.stream().flatMap(node -> node.findings().stream()));
    return concerns;
  }

  @Override
  public Optional<String> history() {
    return statistics.history();
  }

  @Override
  public void keepHistory(String history) {
    statistics.keepHistory(history);
  }

  @Override
  public Optional<List<RuntimeValue>> runtimeValues() {
    try {
      return Optional.of(policies.list().stream().flatMap(OutboxHalf::values).toList());
    } catch (OutboxException unreadable) { // the rest of the configuration is there without them
      return Optional.empty();
    }
  }

  private static Stream<RuntimeValue> values(RuntimePolicy set) {
    Map<String, String> values = RetryFields.byKey(set.policy().retries());
    set.policy()
        .onDeadLetter()
        .ifPresent(it -> values.put("on-dead-letter", it.name().toLowerCase(Locale.ROOT)));
    String prefix = "postbox.outbox.destination." + set.destination() + ".";
    return RuntimeValue.of(prefix, values, set.principal(), set.since(), set.reason());
  }

  @Override
  public List<NodeState> nodeStates() {
    return reports().stream()
        .map(node -> new NodeState(node.name(), node.alive(), node.findings(), node.notChecked()))
        .toList();
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
