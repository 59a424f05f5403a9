package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A broker in memory whose failures are scripted. All or nothing, as the contract of a transport
 * wants. Thread-safe.
 */
final class FakeBroker implements TransportSession, Transport {
  /** Messages that it refuses by name. */
  final Set<Long> rejects = new HashSet<>();

  /** Messages that make a batch fail without saying why. */
  final Set<Long> spoil = new HashSet<>();

  /** Messages that it has already: one of them makes a batch fail, and alone it says why. */
  final Set<Long> has = new HashSet<>();

  /** Destinations that it does not know. */
  final Set<String> unknownDestinations = new HashSet<>();

  /** Destinations to which everything fails without saying why. */
  final Set<String> brokenDestinations = new HashSet<>();

  boolean down;

  private final List<StoredMessage> received = new ArrayList<>();
  private int calls;

  @Override
  public synchronized void send(List<StoredMessage> messages) throws SendFailure {
    calls++;
    check(messages);
    received.addAll(messages);
  }

  /** Fails as sending would. */
  synchronized void check(List<StoredMessage> messages) throws SendFailure {
    if (down) {
      throw SendFailure.ofDestination("down", null);
    }
    boolean spoiled = false;
    for (StoredMessage message : messages) {
      if (unknownDestinations.contains(message.goesTo())) {
        throw SendFailure.ofDestination("no such queue", new Exception());
      }
      if (rejects.contains(message.seq())) {
        throw SendFailure.ofMessage(message, "rejected", new Exception());
      }
      spoiled |= spoil.contains(message.seq());
      spoiled |= brokenDestinations.contains(message.destination());
    }
    if (messages.stream().anyMatch(message -> has.contains(message.seq()))) {
      throw messages.size() == 1
          ? SendFailure.duplicate(messages.get(0), "duplicate", new Exception())
          : SendFailure.unknown("duplicate", new Exception());
    }
    if (spoiled) {
      throw SendFailure.unknown("commit failed", new Exception());
    }
  }

  @Override
  public synchronized void send(Lane lane, List<StoredMessage> messages, BooleanSupplier wanted)
      throws SendFailure {
    if (!wanted.getAsBoolean()) {
      throw SendFailure.ofDestination("given up", null);
    }
    send(messages);
  }

  synchronized List<StoredMessage> received() {
    return List.copyOf(received);
  }

  synchronized List<Long> receivedSeqs() {
    return received.stream().map(StoredMessage::seq).toList();
  }

  synchronized int calls() {
    return calls;
  }

  synchronized void heal() {
    rejects.clear();
    spoil.clear();
    has.clear();
    unknownDestinations.clear();
    brokenDestinations.clear();
    down = false;
  }
}
