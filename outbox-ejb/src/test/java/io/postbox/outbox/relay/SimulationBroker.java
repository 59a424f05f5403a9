package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** A broker whose destinations break and heal, and which does not take every message. */
final class SimulationBroker {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Messages that it refuses by name. */
  final Set<UUID> rejected = new HashSet<>();

  /** Messages that make a batch fail without saying why. */
  final Set<UUID> spoilt = new HashSet<>();

  private final Simulation simulation;
  private final Map<String, State> states = new HashMap<>();

  /** How a destination fares. */
  enum State {
    WORKS,
    /** Says that it is at fault. */
    DOWN,
    /** Fails without saying why. */
    BROKEN,
    /** Often takes longer than anybody waits. */
    SLOW,
    /** Takes messages or not, and the answer to the commit is lost. */
    LOSES_ANSWERS
  }

  SimulationBroker(Simulation simulation) {
    this.simulation = simulation;
  }

  void set(String destination, State state) {
    states.put(destination, state);
    simulation.history.note(destination + " " + state);
  }

  void heal() {
    states.clear();
    simulation.history.note("all destinations work");
  }

  /** How a node sends. */
  Gateway sendsOf(String node, SimulationScheduler.Life life) {
    return new Gateway() {
      @Override
      public TransportSession begin(Lane lane) {
        return new Session(node, life, simulation.scheduler.now());
      }

      @Override
      public ResolvedBatch resolve(List<StoredMessage> messages) {
        return opened(messages);
      }
    };
  }

  /** Some messages are references, of which the first load is written down before any is sent. */
  private static boolean isReference(StoredMessage message) {
    return message.envelope().id().getLeastSignificantBits() % 4 == 0;
  }

  private ResolvedBatch opened(List<StoredMessage> messages) {
    Map<Long, byte[]> firstLoads = new HashMap<>();
    for (StoredMessage message : messages) {
      if (isReference(message) && !simulation.tables.loaded.contains(message.seq())) {
        firstLoads.put(message.seq(), new byte[0]);
      }
    }
    return firstLoads.isEmpty()
        ? ResolvedBatch.unchanged(messages)
        : new ResolvedBatch(List.of(), firstLoads, Map.of(), Map.of(), Map.of(), Optional.empty());
  }

  private final class Session implements TransportSession {
    private final String node;
    private final SimulationScheduler.Life life;
    private final Instant start;

    private Session(String node, SimulationScheduler.Life life, Instant start) {
      this.node = node;
      this.life = life;
      this.start = start;
    }

    private Duration left() {
      return LIMIT.minus(Duration.between(start, simulation.scheduler.now()));
    }

    @Override
    public boolean hasTime() {
      return left().compareTo(LIMIT.dividedBy(2)) > 0;
    }

    @Override
    public void send(List<StoredMessage> messages) throws SendFailure {
      try {
        trySend(messages);
      } catch (SendFailure failure) {
        boolean destinations = failure.fault() == SendFailure.Fault.DESTINATION;
        if (destinations && simulation.tables.has(SimulationBug.OUTAGE_COUNTS_ATTEMPTS)) {
          throw SendFailure.ofMessage(messages.get(0), failure.reason(), failure);
        }
        throw failure;
      }
      simulation.scheduler.step();
    }

    private void trySend(List<StoredMessage> messages) throws SendFailure {
      SimulationScheduler scheduler = simulation.scheduler;
      scheduler.step();
      Set<State> worst =
          messages.stream()
              .map(it -> states.getOrDefault(it.destination(), State.WORKS))
              .collect(Collectors.toSet());
      simulation.history.count(messages.size() > 1 ? "sends of several" : "sends of one");
      if (isShared(messages)) {
        simulation.history.count("sends to several destinations");
      }
      if (worst.contains(State.SLOW)) {
        takeLong(messages);
      }
      if (worst.contains(State.DOWN)) {
        throw SendFailure.ofDestination("down", null);
      }
      if (worst.contains(State.BROKEN)) {
        throw SendFailure.unknown("broken", new Exception());
      }
      if (worst.contains(State.LOSES_ANSWERS)) {
        loseAnswer(messages);
      } else {
        judge(messages);
      }
      simulation.history.delivered(
          simulation.tables.has(SimulationBug.SHARED_SEND_TORN) ? ofFirst(messages) : messages,
          node);
    }

    private boolean isShared(List<StoredMessage> messages) {
      return ofFirst(messages).size() < messages.size();
    }

    private List<StoredMessage> ofFirst(List<StoredMessage> messages) {
      String first = messages.get(0).destination();
      return messages.stream().filter(it -> it.destination().equals(first)).toList();
    }

    private void judge(List<StoredMessage> messages) throws SendFailure {
      for (StoredMessage message : messages) {
        if (rejected.contains(message.envelope().id())) {
          simulation.history.rejected(message.envelope().id(), node);
          throw SendFailure.ofMessage(message, "rejected", new Exception());
        }
      }
      if (messages.stream().anyMatch(it -> spoilt.contains(it.envelope().id()))) {
        simulation.history.count("spoilt batches");
        if (messages.size() == 1) {
          simulation.history.failedAlone(messages.get(0).envelope().id(), node);
        }
        throw SendFailure.unknown("something is wrong", new Exception());
      }
    }

    private void takeLong(List<StoredMessage> messages) throws SendFailure {
      SimulationScheduler scheduler = simulation.scheduler;
      Duration time = scheduler.upTo(LIMIT.multipliedBy(2));
      if (time.compareTo(left()) < 0) {
        scheduler.sleep(time);
        return;
      }
      scheduler.sleep(left());
      simulation.history.count("given up");
      if (scheduler.chance(0.5)) { // it had begun to commit
        faulty(messages, "given up while committing");
        scheduler.spawn(
            node + " late commit",
            simulation.brokerLife,
            () -> {
              scheduler.sleep(scheduler.upTo(LIMIT));
              if (messages.stream().noneMatch(it -> isPoison(it.envelope().id()))) {
                simulation.history.delivered(messages, node + ", late");
              }
            });
      }
      throw SendFailure.ofDestination("did not answer", null);
    }

    private void loseAnswer(List<StoredMessage> messages) throws SendFailure {
      judge(messages);
      SimulationScheduler scheduler = simulation.scheduler;
      if (scheduler.chance(0.5)) {
        return;
      }
      if (scheduler.chance(0.5)) {
        faulty(messages, "sent, and the answer was lost");
        simulation.history.delivered(messages, node);
      }
      throw scheduler.chance(0.5)
          ? SendFailure.ofDestination("unknown outcome", null)
          : SendFailure.unknown("unknown outcome", new Exception());
    }

    private void faulty(List<StoredMessage> messages, String why) {
      messages.forEach(it -> simulation.history.fault(it.envelope().id(), why + " by " + node));
    }
  }

  private boolean isPoison(UUID id) {
    return rejected.contains(id) || spoilt.contains(id);
  }
}
