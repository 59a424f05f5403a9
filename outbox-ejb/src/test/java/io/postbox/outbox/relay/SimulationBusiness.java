package io.postbox.outbox.relay;

import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.testing.Messages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Business transactions: each takes the locks of its keys first and enqueues after, as the promise
 * about order wants; some are slow to commit, some are rolled back.
 */
final class SimulationBusiness {
  private final Simulation simulation;
  private final SimulationScheduler scheduler;
  private final SimulationPlan plan;
  private final Set<String> locked = new HashSet<>();
  boolean open = true;
  boolean trickles = true;

  SimulationBusiness(Simulation simulation) {
    this.simulation = simulation;
    scheduler = simulation.scheduler;
    plan = simulation.plan;
  }

  /** One of its users. */
  void run() {
    while (open) {
      scheduler.sleep(scheduler.upTo(plan.betweenTransactions()));
      Optional<SimulationNode> node = simulation.anyNode();
      if (open && node.isPresent()) {
        transact(node.get());
      }
    }
  }

  /** A little that always goes on, for every destination. */
  void trickle() {
    while (trickles) {
      scheduler.sleep(Duration.ofSeconds(1));
      for (String destination : plan.destinations()) {
        simulation.anyNode().ifPresent(node -> transact(node, List.of(destination), false));
      }
    }
  }

  private void transact(SimulationNode node) {
    Set<String> lines = new TreeSet<>();
    int messages = 1 + scheduler.random.nextInt(scheduler.chance(0.1) ? 12 : 3);
    List<@Nullable String> chosen = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      String line =
          anyDestination()
              + (scheduler.chance(plan.keyed())
                  ? " k" + scheduler.random.nextInt(plan.keys())
                  : "");
      chosen.add(line);
      lines.add(line);
    }
    lines.removeIf(line -> !line.contains(" "));
    for (String line : lines) { // in one order, so that nobody waits in a circle
      while (!locked.add(line)) {
        scheduler.sleep(Duration.ofMillis(5));
      }
    }
    try {
      transact(node, chosen, true);
    } finally {
      locked.removeAll(lines);
    }
  }

  private void transact(SimulationNode node, List<String> lines, boolean varied) {
    SimulationTransaction transaction = simulation.tables.begin("business");
    List<NewMessage> all = new ArrayList<>();
    for (String line : lines) {
      scheduler.step();
      NewMessage prepared = varied ? prepare(line) : plain(line);
      long seq = transaction.insert(prepared);
      Envelope envelope = prepared.envelope();
      simulation.history.inserted(
          envelope.id(), envelope.destination(), envelope.orderingKey(), seq);
      all.add(prepared);
    }
    if (varied && scheduler.chance(0.15)) {
      scheduler.sleep(scheduler.upTo(Duration.ofSeconds(scheduler.chance(0.2) ? 20 : 2)));
    }
    scheduler.step();
    if (!node.isAlive() || varied && scheduler.chance(0.1)) {
      transaction.rollback();
      simulation.history.count("rolled back");
      return;
    }
    transaction.commit();
    all.forEach(it -> simulation.history.committed(it.envelope().id()));
    scheduler.step();
    if (node.isAlive() && !scheduler.chance(simulation.weather.wakeUpsLost)) {
      wake(node, all);
    }
  }

  private static void wake(SimulationNode node, List<NewMessage> all) {
    Set<Lane> lanes = new LinkedHashSet<>();
    for (NewMessage prepared : all) {
      if (prepared.notBefore() == null) {
        lanes.add(prepared.lane());
      }
    }
    node.wake(
        lanes,
        all.stream().anyMatch(it -> it.notBefore() != null)
            ? Optional.of(Duration.ofSeconds(1))
            : Optional.empty());
  }

  private String anyDestination() {
    return plan.destinations().get(scheduler.random.nextInt(plan.destinations().size()));
  }

  private NewMessage prepare(String line) {
    NewMessage plain = plain(line);
    Envelope envelope = plain.envelope();
    if (scheduler.chance(plan.poison())) {
      (scheduler.chance(0.5) ? simulation.broker.rejected : simulation.broker.spoilt)
          .add(envelope.id());
    }
    boolean delayed = envelope.orderingKey() == null && scheduler.chance(0.2);
    boolean expires = !plan.calm() && scheduler.chance(0.1);
    return new NewMessage(
        plain.partition(),
        envelope,
        delayed ? later(Duration.ofSeconds(5)) : null,
        expires ? scheduler.upTo(Duration.ofSeconds(10)) : null);
  }

  private NewMessage plain(String line) {
    String[] parts = line.split(" ", 2);
    String key = parts.length == 1 ? null : parts[1];
    UUID id = new UUID(scheduler.random.nextLong(), scheduler.random.nextLong());
    Envelope envelope = Messages.envelope(id, parts[0], key);
    int hash = (key == null ? id : line).hashCode();
    return new NewMessage(Math.floorMod(hash, plan.config().partitions()), envelope, null, null);
  }

  private Instant later(Duration atMost) {
    return simulation.tables.clock.instant().plus(scheduler.upTo(atMost));
  }
}
