package io.postbox.console.inbox;

import io.postbox.common.KeptNumbers;
import io.postbox.common.Paused;
import io.postbox.common.RetryPolicy;
import io.postbox.common.RuntimePolicy;
import io.postbox.console.api.Concern;
import io.postbox.console.api.Concern.Kind;
import io.postbox.console.api.ModuleView;
import io.postbox.console.http.Cached;
import io.postbox.console.http.Json;
import io.postbox.console.http.RetryFields;
import io.postbox.inbox.CaptureControl;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxNodes;
import io.postbox.inbox.InboxPolicies;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.CapturedStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The inbox in numbers, a few seconds old at most, and what in them needs somebody. */
@ApplicationScoped
public class InboxHalf implements ModuleView {
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
  private final Cached<List<RuntimePolicy<RetryPolicy>>> set =
      new Cached<>(() -> policies.list(), NODES_FOR);

  /** The consumers whose captured messages are not handled, a moment ago. */
  List<Paused> pausedConsumers() {
    return paused.get();
  }

  /** Somebody has changed something here, and wants to see it; or a name may have come since. */
  void forget() {
    counted.forget();
    paused.forget();
    set.forget();
  }

  /** The consumers that have any counts, a few seconds ago. */
  List<ConsumerStatistics> consumers() {
    return counted.get();
  }

  /** Failed attempts on this node since its start, by consumer. */
  Map<String, Long> failures() {
    return statistics.failuresOnThisNode();
  }

  @Override
  public List<InboxNode> reports() {
    return reported.get();
  }

  @Override
  public String module() {
    return "inbox";
  }

  @Override
  public JsonObject counts() {
    List<ConsumerStatistics> all = consumers();
    return Json.object()
        .put("processed", sum(all, ConsumerStatistics::processed))
        .put("skipped", sum(all, ConsumerStatistics::skipped))
        .put("parked", sum(all, ConsumerStatistics::parked))
        .put("quarantined", sum(all, ConsumerStatistics::quarantined))
        .put("buffered", sum(all, ConsumerStatistics::buffered))
        .put("versionGaps", sum(all, ConsumerStatistics::versionGaps))
        .put(
            "captured",
            sum(all, each -> each.captured().map(CapturedStatistics::backlog).orElse(0L)))
        .put("failures", failures().values().stream().mapToLong(Long::longValue).sum())
        .build();
  }

  private static long sum(
      List<ConsumerStatistics> consumers, ToLongFunction<ConsumerStatistics> count) {
    return consumers.stream().mapToLong(count).sum();
  }

  @Override
  public List<Concern> concerns() {
    return concerns(consumers(), pausedConsumers(), set.get(), reports());
  }

  static List<Concern> concerns(
      List<ConsumerStatistics> consumers,
      List<Paused> paused,
      List<RuntimePolicy<RetryPolicy>> policies,
      List<InboxNode> nodes) {
    return Concern.some(
        Concern.of(
            Kind.PAUSED,
            paused.size(),
            "The captured messages of {# consumer|# consumers} are paused: "
                + Concern.names(paused.stream(), Paused::name),
            "#/consumers"),
        Concern.of(
            Kind.PARKED,
            sum(consumers, ConsumerStatistics::parked),
            "{# message is|# messages are} parked: " + of(consumers, ConsumerStatistics::parked),
            "#/failures"),
        Concern.of(
            Kind.VERSION_GAPS,
            sum(consumers, ConsumerStatistics::versionGaps),
            "{# aggregate misses a version|# aggregates miss versions}, and later ones wait.",
            "#/gaps"),
        Concern.of(
            Kind.QUARANTINED,
            sum(consumers, ConsumerStatistics::quarantined),
            "{# delivery is|# deliveries are} in quarantine: "
                + of(consumers, ConsumerStatistics::quarantined),
            "#/quarantined"),
        Concern.of(
            Kind.POLICIES,
            policies.size(),
            "Somebody has set a policy of {# consumer|# consumers}: "
                + Concern.names(policies.stream(), RuntimePolicy::name),
            "#/policies"),
        Concern.ofFindings(
            "inbox",
            nodes.stream().filter(InboxNode::alive).flatMap(node -> node.findings().stream())));
  }

  private static String of(
      List<ConsumerStatistics> consumers, ToLongFunction<ConsumerStatistics> count) {
    return Concern.names(
        consumers.stream().filter(each -> count.applyAsLong(each) > 0),
        ConsumerStatistics::consumer);
  }

  @Override
  public KeptNumbers numbers() {
    return statistics;
  }

  @Override
  public List<RuntimeValue> runtimeValues() {
    return policies.list().stream()
        .flatMap(
            set -> RuntimeValue.of("postbox.inbox.consumer.", RetryFields.byKey(set.policy()), set))
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
