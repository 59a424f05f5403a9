package io.postbox.sample.trouble;

import io.postbox.common.Paused;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxNode.OpenBreaker;
import io.postbox.outbox.OutboxNodes;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.WaitingMessages;
import io.postbox.outbox.WaitingMessages.Redirect;
import io.postbox.sample.events.Trouble;
import io.postbox.sample.orders.OrderService;
import io.postbox.sample.orders.PlacedOrder;
import io.postbox.sample.shipping.LabelPrinter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Causes troubles, ends those that the sample itself can end, and says which there are. */
@ApplicationScoped
public class Troubles {
  private static final String REASON = "A visitor of the sample asked for it";

  @Inject OrderService orders;
  @Inject LabelPrinter printer;
  @Inject RelayControl relay;
  @Inject WaitingMessages waiting;
  @Inject OutboxNodes nodes;
  @Inject OutboxStatistics statistics;
  @Inject Rush rush;

  /**
   * The present troubles.
   *
   * @param printerBroken whether the handler fails for the orders that are to fail always
   * @param pausedSince since when a person has paused the relay for shipping; empty if it sends
   * @param waiting how many messages wait for shipping, while it is paused
   * @param allPaused whether all destinations are paused, which only the console ends
   * @param circuitOpenSince since when the circuit to the missing destination is open; empty if it
   *     is closed
   * @param redirectedTo where the messages to the missing destination go instead; empty if nobody
   *     redirected them
   * @param rush how far the thousand orders are
   */
  public record State(
      boolean printerBroken,
      Optional<Instant> pausedSince,
      long waiting,
      boolean allPaused,
      Optional<Instant> circuitOpenSince,
      Optional<String> redirectedTo,
      Rush.Progress rush) {}

  /** The present troubles, read by a handful of queries. */
  public State state() {
    List<Paused> paused = relay.paused();
    Optional<Paused> shipping = paused(paused, OrderService.SHIPPING);
    return new State(
        printer.isBroken(),
        shipping.map(Paused::since),
        shipping.isPresent() ? waitingForShipping() : 0,
        paused.stream().anyMatch(each -> each.name().equals(RelayControl.ALL)),
        breaker(nodes.list(), OrderService.NOWHERE).map(OpenBreaker::since),
        waiting.redirects().stream()
            .filter(each -> each.destination().equals(OrderService.NOWHERE))
            .map(Redirect::target)
            .findFirst(),
        rush.progress());
  }

  private long waitingForShipping() {
    return statistics.byDestination().stream()
        .filter(each -> each.destination().equals(OrderService.SHIPPING))
        .mapToLong(DestinationStatistics::pending)
        .sum();
  }

  /** Places an order that meets with the trouble. */
  public PlacedOrder cause(Trouble trouble, String sku) {
    if (trouble == Trouble.FAILS_ALWAYS) {
      printer.breakDown();
    }
    return orders.place(sku, 1, trouble);
  }

  /** Ends {@link Trouble#FAILS_ALWAYS} for what is handled from now on. */
  public void mend() {
    printer.mend();
  }

  /** Pauses the relay for the destination {@code shipping}. */
  public void pause() {
    relay.pause(OrderService.SHIPPING, REASON);
  }

  /** Ends {@link #pause}. */
  public void resume() {
    relay.resume(OrderService.SHIPPING, REASON);
  }

  /**
   * Has a thousand orders placed in the background.
   *
   * @return whether it began; otherwise another thousand is being placed on this node
   */
  public boolean rush() {
    return rush.begin();
  }

  /** The pause that holds up a destination: of all destinations, or of this one. */
  public static Optional<Paused> paused(List<Paused> all, String destination) {
    return all.stream()
        .filter(each -> each.name().equals(RelayControl.ALL) || each.name().equals(destination))
        .min(Comparator.comparing(Paused::since));
  }

  /** The open circuit of a destination, by the node on which it has been open longest. */
  public static Optional<OpenBreaker> breaker(List<OutboxNode> nodes, String destination) {
    return nodes.stream()
        .filter(OutboxNode::alive)
        .flatMap(node -> node.breakers().stream())
        .filter(each -> each.destination().equals(destination))
        .min(Comparator.comparing(OpenBreaker::since));
  }
}
