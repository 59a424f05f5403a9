package io.postbox.sample.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.Paused;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxNode.BreakerState;
import io.postbox.outbox.OutboxNode.OpenBreaker;
import io.postbox.outbox.OutboxNode.RelayState;
import io.postbox.outbox.RelayControl;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TroublesTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void aDestinationIsPausedByItsNameOrWithAllOthers() {
    Paused named = new Paused("shipping", "why", "ada", NOON);
    Paused all = new Paused(RelayControl.ALL, "why", "ada", NOON.plusSeconds(1));
    assertThat(Troubles.paused(List.of(all, named), "shipping")).contains(named);
    assertThat(Troubles.paused(List.of(all, named), "orders")).contains(all);
    assertThat(Troubles.paused(List.of(named), "orders")).isEmpty();
  }

  @Test
  void theCircuitThatHasBeenOpenLongestCountsOfNodesThatLive() {
    OpenBreaker old = open("depot", NOON);
    OpenBreaker later = open("depot", NOON.plusSeconds(5));
    List<OutboxNode> nodes =
        List.of(
            node(false, old),
            node(true, later),
            node(true, open("depot", NOON.plusSeconds(9)), open("orders", NOON)));
    assertThat(Troubles.breaker(nodes, "depot")).contains(later);
    assertThat(Troubles.breaker(nodes, "shipping")).isEmpty();
  }

  private static OpenBreaker open(String destination, Instant since) {
    return new OpenBreaker(destination, BreakerState.OPEN, since, since, 1, "not there");
  }

  private static OutboxNode node(boolean alive, OpenBreaker... breakers) {
    return new OutboxNode(
        "node",
        "host",
        "1",
        NOON,
        NOON,
        NOON,
        alive,
        RelayState.ON,
        1,
        Optional.empty(),
        List.of(breakers),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }
}
