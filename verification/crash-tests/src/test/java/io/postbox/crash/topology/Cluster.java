package io.postbox.crash.topology;

import static org.awaitility.Awaitility.await;

import io.postbox.testkit.database.Tables;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.FinalState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.core.ConditionTimeoutException;

/** Questions to several servers that share one set of tables. */
public record Cluster(Nodes nodes) {
  private static final Duration LONGEST = Duration.ofSeconds(90);

  /**
   * Asks every one of them at once for an order's first message again, until each has agreed so
   * often; a copy that still waits to be sent keeps the next one out.
   *
   * @return how many copies there are
   */
  public int resendFromAll(Acknowledged order, int times) {
    CompletableFuture.allOf(
            nodes.all().stream()
                .map(node -> CompletableFuture.runAsync(() -> resend(node, order, times)))
                .toArray(CompletableFuture[]::new))
        .join();
    return nodes.all().size() * times;
  }

  private void resend(Node node, Acknowledged order, int times) {
    for (int agreed = 0; agreed < times; ) {
      try {
        if (node.sample().resend(order.orderId()).statusCode() / 100 == 2) {
          agreed++;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    nodes.mark(node, "was asked for order %s again %s times".formatted(order.orderId(), times));
  }

  /** How many copies they have skipped since their starts. */
  public long duplicates() {
    return nodes.all().stream().mapToLong(node -> nodes.totals(node).duplicates()).sum();
  }

  /** Waits until nothing is left to be sent, whichever servers run. */
  public void awaitEmptyOutbox() {
    await("an empty outbox")
        .atMost(LONGEST)
        .untilAsserted(
            () -> {
              List<FinalState.Message> left =
                  Tables.read(nodes.database(), Map.of(), Map.of(), List.of()).outbox();
              if (!left.isEmpty()) {
                throw new AssertionError(
                    left.size() + " messages wait, the first is " + left.get(0));
              }
            });
  }

  /** Stops a server in its tracks while it holds a claim; tries until it has caught that moment. */
  public void freezeWithAClaim(Node node) {
    await("a moment at which " + node.name() + " holds a claim")
        .atMost(LONGEST)
        .until(
            () -> {
              node.server().freeze();
              try {
                await("a claim that nobody works on")
                    .atMost(Duration.ofMillis(1_500))
                    .until(() -> !Tables.oldClaims(nodes.database()).isEmpty());
                return true;
              } catch (ConditionTimeoutException e) {
                node.server().thaw();
                return false;
              }
            });
  }
}
