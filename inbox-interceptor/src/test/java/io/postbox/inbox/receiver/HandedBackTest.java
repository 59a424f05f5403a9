package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.FakeIdempotencyStore.Bug;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * A stored message is its row, and what lies in a queue is a copy: copies get lost, come twice,
 * late and after an operator has decided otherwise, and handlers fail with them.
 */
class HandedBackTest {
  private static final int MESSAGES = 12;

  private final FakeBroker broker = broker();

  private static FakeBroker broker() {
    return new FakeBroker(TestConfig.shop(Map.of("max-attempts", "3")));
  }

  private static Parked parked(String id) {
    return new Parked(TestDelivery.of(id).delivery(), id, ParkReason.REJECTED, "broken", "5ef0", 3);
  }

  private static TestDelivery copy(String id, int generation) {
    return TestDelivery.of(id).with(new StoredRow(1, generation));
  }

  @Test
  void ofTwoCopiesOneIsHandledAndTheOtherAcknowledged() {
    broker.store.handBack(parked("id-1"));

    assertThat(broker.deliver(copy("id-1", 1))).isPresent();
    assertThat(broker.store.handedBack).isEmpty();
    assertThat(broker.deliver(copy("id-1", 1))).isPresent();

    assertThat(broker.events)
        .hasExactlyElementsOfTypes(MessageProcessed.class, MessageSkipped.class);
  }

  @Test
  void aCopyOfAnOlderGenerationIsAcknowledgedUnrun() {
    broker.store.handBack(parked("id-1"));
    broker.store.handBack(parked("id-1")); // redriven once more

    assertThat(broker.deliver(copy("id-1", 1))).isPresent();
    assertThat(broker.events).hasExactlyElementsOfTypes(MessageSkipped.class);
    assertThat(broker.store.handedBack).hasSize(1);
    assertThat(broker.store.remembered).isEmpty();

    broker.deliver(copy("id-1", 2));
    assertThat(broker.events.get(1)).isInstanceOf(MessageProcessed.class);
  }

  @Test
  void aCopyWhoseHandlerFailsIsRetriedFromItsRowAndKeptAsideInIt() {
    broker.handler =
        run -> {
          throw new IllegalStateException("no stock");
        };
    broker.store.handBack(parked("id-1"));
    broker.canBeSentAgain = false; // nothing but the row
    broker.send(copy("id-1", 1));
    broker.run(100);

    assertThat(broker.delays).hasSize(2);
    assertThat(broker.store.handedBack).isEmpty();
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.reason()).isEqualTo(ParkReason.TOO_MANY_FAILURES);
              assertThat(it.attempts()).isEqualTo(3);
            });
    assertThat(broker.isEmpty()).isTrue();
  }

  @Test
  void aCopyThatCanBeSentByNobodyElseIsRetriedAtItsBrokerAndThenKeptAside() {
    broker.canBeHandedBack = false;
    broker.store.clock = () -> broker.now;
    List<Integer> attempts = new ArrayList<>();
    broker.handler =
        run -> {
          attempts.add(run.attempt());
          throw new IllegalStateException("no stock");
        };
    broker.store.handBack(parked("id-1"));
    broker.send(copy("id-1", 1));
    broker.run(2);

    assertThat(attempts).containsExactly(1);
    assertThat(broker.store.handedBack.values())
        .singleElement()
        .satisfies(
            back -> {
              assertThat(back.generation()).isEqualTo(1);
              assertThat(back.retry()).as("this copy is handled").isNull();
            });
    broker.run(1_000);

    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(broker.delays).isEmpty();
    assertThat(broker.store.handedBack).isEmpty();
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.reason()).isEqualTo(ParkReason.TOO_MANY_FAILURES);
              assertThat(it.error()).contains("no stock");
              assertThat(it.attempts()).isEqualTo(3);
            });
    assertThat(broker.isEmpty()).isTrue();
  }

  @Test
  void aCopyThatWaitsAtItsBrokerIsHandledWhenItsRetryIsDue() {
    broker.canBeHandedBack = false;
    broker.store.clock = () -> broker.now;
    broker.handler =
        run -> {
          if (run.attempt() == 1) {
            throw new IllegalStateException("no stock");
          }
          return "done";
        };
    broker.store.handBack(parked("id-1"));
    broker.send(copy("id-1", 1));
    broker.run(1_000);

    assertThat(broker.holds).isPositive();
    assertThat(broker.events).last().isInstanceOf(MessageProcessed.class);
    assertThat(broker.store.handedBack).isEmpty();
    assertThat(broker.store.parked).isEmpty();
    assertThat(broker.isEmpty()).isTrue();
  }

  /** The hand-back locks it for a moment when it looks whether its copy has come. */
  @Test
  void theOnlyCopyIsHandledAlsoIfItsRowIsLockedForAMoment() {
    broker.canBeHandedBack = false;
    broker.store.handBack(parked("id-1"));
    broker.store.locked = 1;

    assertThat(broker.deliver(copy("id-1", 1))).isPresent();
    assertThat(broker.events).hasExactlyElementsOfTypes(MessageProcessed.class);
    assertThat(broker.holds).isOne();
    assertThat(broker.deliver(copy("id-1", 1))).isPresent();
    assertThat(broker.events)
        .hasExactlyElementsOfTypes(MessageProcessed.class, MessageSkipped.class);
  }

  @Test
  void aCopyThatIsRolledBackChangesNothing() {
    broker.store.handBack(parked("id-1"));
    broker.commitsFail = true;
    broker.deliver(copy("id-1", 1));

    assertThat(broker.store.handedBack).hasSize(1);
  }

  /** Failing handlers, lost and doubled copies, and an operator who redrives and discards. */
  private static final class Simulation {
    private final FakeBroker broker = broker();
    private final Random random;
    private final List<String> wrong = new ArrayList<>();

    Simulation(long seed, Bug bug) {
      random = new Random(seed);
      broker.store.bug = bug;
      broker.resends = true;
      broker.copiesOfEach = () -> random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(2);
      broker.handler =
          run -> {
            StoredRow copy = broker.delivering;
            if (copy != null && !isPresent(copy)) {
              wrong.add("a copy was handled that was not the last one: " + run.messageId());
            }
            if (random.nextInt(2) == 0) {
              throw new IllegalStateException("no stock");
            }
            return "done";
          };
      for (int i = 0; i < MESSAGES; i++) {
        broker.store.parked.add(parked("id-" + i));
      }
    }

    private boolean isPresent(StoredRow copy) {
      FakeIdempotencyStore.Back back = broker.store.handedBack.get(copy.id());
      return back != null && back.generation() == copy.generation() && back.retry() == null;
    }

    Simulation play() {
      for (int turn = 0; turn < 60; turn++) {
        operate();
        broker.run(random.nextInt(8));
      }
      broker.handler = run -> "done";
      broker.copiesOfEach = () -> 1;
      redriveAll();
      broker.run(10_000);
      return this;
    }

    private void operate() {
      List<Parked> all = List.copyOf(broker.store.parked);
      if (all.isEmpty()) {
        return;
      }
      Parked one = all.get(random.nextInt(all.size()));
      broker.store.parked.remove(one);
      String key = FakeIdempotencyStore.key("shipping", one.messageId());
      if (random.nextInt(6) == 0) {
        broker.store.remembered.put(key, one.delivery().fingerprint());
        broker.store.outcomes.put(key, Outcome.DISCARDED);
      } else {
        broker.store.failures.remove(key);
        broker.store.handBack(one);
      }
      broker.sendReleased();
    }

    private void redriveAll() {
      for (Parked each : List.copyOf(broker.store.parked)) {
        broker.store.parked.remove(each);
        broker.store.failures.remove(FakeIdempotencyStore.key("shipping", each.messageId()));
        broker.store.handBack(each);
      }
      broker.sendReleased();
    }

    /** What is not as it should be. */
    List<String> wrong() {
      if (!broker.store.handedBack.isEmpty()) {
        wrong.add("still on its way: " + broker.store.handedBack);
      }
      for (int i = 0; i < MESSAGES; i++) {
        String id = "id-" + i;
        String key = FakeIdempotencyStore.key("shipping", id);
        Outcome outcome = broker.store.outcomes.get(key);
        boolean isParked = broker.store.parked.stream().anyMatch(it -> it.messageId().equals(id));
        if (isParked || outcome == null) {
          wrong.add(id + " is lost or parked: " + outcome);
        }
        long handled =
            broker.events.stream()
                .filter(it -> it instanceof MessageProcessed done && done.messageId().equals(id))
                .count();
        if (handled != (outcome == Outcome.PROCESSED ? 1 : 0)) {
          wrong.add("%s is %s and was handled %s times".formatted(id, outcome, handled));
        }
      }
      return wrong;
    }
  }

  @Test
  void noMessageIsLostOrHandledTwiceOrByACopyThatIsNotItsLast() {
    for (long seed = 1; seed <= 300; seed++) {
      assertThat(new Simulation(seed, Bug.NONE).play().wrong()).as("seed %s", seed).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void eachFaultIsFound(Bug bug) {
    assertThat(LongStream.rangeClosed(1, 50))
        .anyMatch(seed -> !new Simulation(seed, bug).play().wrong().isEmpty());
  }
}
