package io.postbox.crash.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.campaign.Mode;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.model.Violation.BilledTwice;
import io.postbox.testkit.model.Violation.CapturedAndGone;
import io.postbox.testkit.model.Violation.HandledOutOfOrder;
import io.postbox.testkit.model.Violation.NotShipped;
import io.postbox.testkit.model.Violation.ShippedTwice;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link SeededBugsIT}, for messages that are captured first and handled later. */
@Tag("crash")
class SeededCaptureBugsIT {
  private static final Duration LONGEST = Duration.ofSeconds(90);
  private static final Duration STAYS = Duration.ofSeconds(1);

  private final Set<Violation> known = new HashSet<>();

  @Test
  void lostAndOvertakenMessagesAreFound() {
    try (Nodes nodes = started(Mode.CAPTURE_POSTGRESQL)) {
      SeededBug lost = SeededBug.ACKNOWLEDGE_BEFORE_CAPTURE_COMMITS;
      arm(nodes, lost);
      Acknowledged order = order(nodes);
      awaitFound(nodes, lost, isLost(order));
      disarm(nodes, lost);

      SeededBug gone = SeededBug.END_BEFORE_HANDLING;
      arm(nodes, gone);
      order = order(nodes);
      awaitFound(nodes, gone, isLost(order).or(CapturedAndGone.class::isInstance));
      disarm(nodes, gone);

      SeededBug overtaken = SeededBug.ORDER_WITHOUT_THE_KEY;
      arm(nodes, overtaken);
      Acknowledged first = order(nodes);
      awaitEffect(nodes, overtaken);
      Acknowledged second = order(nodes);
      awaitFound(
          nodes,
          overtaken,
          new HandledOutOfOrder(first.orderId(), first.sku(), second.orderId())::equals);
      disarm(nodes, overtaken);

      SeededBug latest = SeededBug.RELEASE_THE_LATEST;
      arm(nodes, latest);
      order(nodes);
      awaitEffect(nodes, latest);
      order(nodes);
      order(nodes);
      awaitFound(nodes, latest, HandledOutOfOrder.class::isInstance);
      disarm(nodes, latest);
    }
  }

  @Test
  void aMessageThatTwoNodesHandleIsDoubled() {
    try (Nodes nodes = started(Mode.CAPTURE_TWO_NODES)) {
      arm(nodes, SeededBug.HANDLE_WITHOUT_THE_LOCK);
      order(nodes);
      await("a message that two nodes have handled")
          .atMost(LONGEST)
          .until(
              () ->
                  nodes.check().stream()
                      .anyMatch(it -> it instanceof ShippedTwice || it instanceof BilledTwice));
    }
  }

  /** At rest, and without a violation while all bugs sleep. */
  private Nodes started(Mode mode) {
    Nodes nodes = mode.make(Settings.read(), false, Map.of());
    nodes.all().forEach(node -> node.rules().load(SeededBug.all()));
    nodes.start();
    order(nodes);
    nodes.awaitRest();
    assertThat(nodes.check()).as("without a bug").isEmpty();
    return nodes;
  }

  private static Acknowledged order(Nodes nodes) {
    return nodes.order(nodes.get(0), 1).get(0);
  }

  private static void arm(Nodes nodes, SeededBug bug) {
    nodes.all().forEach(node -> node.rules().arm(bug.name()));
  }

  private static void disarm(Nodes nodes, SeededBug bug) {
    nodes.all().forEach(node -> node.rules().disarm(bug.name()));
  }

  private static void awaitEffect(Nodes nodes, SeededBug bug) {
    await(bug + " has an effect")
        .atMost(LONGEST)
        .until(() -> nodes.all().stream().map(Node::rules).anyMatch(it -> it.wasHit(bug.name())));
  }

  private static Predicate<Violation> isLost(Acknowledged order) {
    return new NotShipped(order.orderId())::equals;
  }

  /** Waits until what is new is this, and stays so. */
  private void awaitFound(Nodes nodes, SeededBug bug, Predicate<Violation> expected) {
    awaitEffect(nodes, bug);
    await(bug + " is found")
        .atMost(LONGEST)
        .during(STAYS)
        .untilAsserted(
            () -> assertThat(fresh(nodes)).as(bug.name()).isNotEmpty().allMatch(expected));
    known.addAll(fresh(nodes));
  }

  private List<Violation> fresh(Nodes nodes) {
    return nodes.check().stream().filter(it -> !known.contains(it)).toList();
  }
}
