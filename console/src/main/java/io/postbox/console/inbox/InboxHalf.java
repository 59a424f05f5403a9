package io.postbox.console.inbox;

import io.postbox.console.api.Concern;
import io.postbox.console.api.Concern.Kind;
import io.postbox.console.api.ModuleView;
import io.postbox.console.http.Cached;
import io.postbox.console.http.Half;
import io.postbox.console.http.Json;
import io.postbox.console.http.RetryFields;
import io.postbox.inbox.CaptureControl;
import io.postbox.inbox.CaptureControl.Paused;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxNodes;
import io.postbox.inbox.InboxPolicies;
import io.postbox.inbox.InboxPolicies.RuntimePolicy;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.CapturedStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The inbox in numbers, a few seconds old at most, and what in them needs somebody. */
@ApplicationScoped
public class InboxHalf implements Half, ModuleView {
  private static final Duration COUNTS_FOR = Duration.ofSeconds(5);
  private static final Duration NODES_FOR = Duration.ofSeconds(1);

  @Inject InboxStatistics statistics;
  @Inject InboxNodes inboxNodes;
  @Inject InboxPolicies policies;
  @Inject CaptureControl captures;

  private final Cached<List<ConsumerStatistics>> counted =
      new Cached<>(() -> statistics.byConsumer(), COUNTS_FOR);
  private final Cached<List<InboxNode>> reported = new Cached<>(() -> inboxNodes.list(), NODES_FOR);
  private final Cached<List<Paused>> paused = new Cached<>(() -> captures.paused(), NODES_FOR);
  private final Cached<List<RuntimePolicy>> set = new Cached<>(() -> policies.list(), NODES_FOR);

  /** The consumers whose captured messages are not handled, a moment ago. */
  List<Paused> pausedConsumers() {
    return paused.get();
  }

  /** Somebody has paused or set something of a consumer here: they want to see it. */
  void forgetSettings() {
    paused.forget();
    set.forget();
  }

  /** A name is not among those that are counted: it may have come since. */
  void forgetCounts() {
    counted.forget();
  }

  /** The consumers that have any counts, a few seconds ago. */
  List<ConsumerStatistics> consumers() {
    return counted.get();
  }

  /** Failed attempts on this node since its start, by consumer. */
  Map<String, Long> failures() {
    return statistics.failuresOnThisNode();
  }

  /** The nodes, a moment ago. */
  List<InboxNode> reports() {
    return reported.get();
  }

  @Override
  public String module() {
    return "inbox";
  }

  @Override
  public JsonObject counts() {
    return Json.object()
        .put("processed", sum(ConsumerStatistics::processed))
        .put("skipped", sum(ConsumerStatistics::skipped))
        .put("parked", sum(ConsumerStatistics::parked))
        .put("quarantined", sum(ConsumerStatistics::quarantined))
        .put("buffered", sum(ConsumerStatistics::buffered))
        .put("versionGaps", sum(ConsumerStatistics::versionGaps))
        .put("captured", sum(each -> each.captured().map(CapturedStatistics::backlog).orElse(0L)))
        .put("failures", failures().values().stream().mapToLong(Long::longValue).sum())
        .build();
  }

  private long sum(ToLongFunction<ConsumerStatistics> count) {
    return consumers().stream().mapToLong(count).sum();
  }

  @Override
  public List<Concern> concerns() {
    return concerns(consumers(), pausedConsumers(), set.get(), reports());
  }

  static List<Concern> concerns(
      List<ConsumerStatistics> consumers,
      List<Paused> paused,
      List<RuntimePolicy> policies,
      List<InboxNode> nodes) {
    List<Concern> concerns = new ArrayList<>();
    Concern.add(
        concerns,
        Kind.PAUSED,
        paused.size(),
        "The captured messages of {# consumer|# consumers} are paused: "
            + Concern.some(paused.stream().map(Paused::consumer).toList())
            + ".",
        "#/consumers");
    long parked = consumers.stream().mapToLong(ConsumerStatistics::parked).sum();
    Concern.add(
        concerns,
        Kind.PARKED,
        parked,
        "{# message is|# messages are} parked: " + of(consumers, ConsumerStatistics::parked),
        "#/failures");
    Concern.add(
        concerns,
        Kind.VERSION_GAPS,
        consumers.stream().mapToLong(ConsumerStatistics::versionGaps).sum(),
        "{# aggregate misses a version|# aggregates miss versions}, and later ones wait.",
        "#/gaps");
    long quarantined = consumers.stream().mapToLong(ConsumerStatistics::quarantined).sum();
    Concern.add(
        concerns,
        Kind.QUARANTINED,
        quarantined,
        "{# delivery is|# deliveries are} in quarantine: "
            + of(consumers, ConsumerStatistics::quarantined),
        "#/quarantined");
    Concern.add(
        concerns,
        Kind.POLICIES,
        policies.size(),
        "Somebody has set a policy of {# consumer|# consumers}: "
            + Concern.some(policies.stream().map(RuntimePolicy::consumer).toList())
            + ".",
        "#/policies");
    Concern.addFindings(
        concerns,
        "inbox",
        nodes.stream().filter(InboxNode::alive).flatMap(node -> node.findings().stream()));
    return concerns;
  }

  private static String of(
      List<ConsumerStatistics> consumers, ToLongFunction<ConsumerStatistics> count) {
    return Concern.some(
            consumers.stream()
                .filter(each -> count.applyAsLong(each) > 0)
                .map(ConsumerStatistics::consumer)
                .toList())
        + ".";
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
      return Optional.of(policies.list().stream().flatMap(InboxHalf::values).toList());
    } catch (InboxException unreadable) { // the rest of the configuration is there without them
      return Optional.empty();
    }
  }

  private static Stream<RuntimeValue> values(RuntimePolicy set) {
    String prefix = "postbox.inbox.consumer." + set.consumer() + ".";
    return RuntimeValue.of(
        prefix, RetryFields.byKey(set.policy()), set.principal(), set.since(), set.reason());
  }

  @Override
  public List<NodeState> nodeStates() {
    return reports().stream()
        .map(node -> new NodeState(node.name(), node.alive(), node.findings(), node.notChecked()))
        .toList();
  }

  @Override
  public JsonArray nodes() {
    return Json.array(reports(), InboxJson::node);
  }

  @Override
  public boolean isOwnFailure(Throwable thrown) {
    return thrown instanceof InboxException;
  }
}
