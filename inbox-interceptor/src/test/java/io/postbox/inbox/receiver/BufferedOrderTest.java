package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.MessageBuffered;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.receiver.Limits.Used;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Early versions that wait in the inbox's database. */
class BufferedOrderTest {
  private final FakeBroker broker = broker(Map.of());

  private static FakeBroker broker(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(Map.of("consumer.shipping.order", "version"));
    settings.putAll(more);
    return new FakeBroker(TestConfig.shop(settings));
  }

  @Test
  void versionsInReverseOrderAreHandledInOrderAndNoneIsDelayed() {
    for (long version = 5; version >= 1; version--) {
      broker.send(version("order-1", version));
    }

    broker.run(100);

    assertThat(handled()).containsExactly(of("order-1", 1, 2, 3, 4, 5));
    assertThat(broker.delays).isEmpty();
    assertThat(broker.store.parked).isEmpty();
    assertThat(broker.store.awaited).isEmpty();
    assertThat(broker.isEmpty()).isTrue();
  }

  @Test
  void aBufferedMessageIsNoneForAPerson() {
    broker.deliver(version("order-1", 2));

    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.reason()).isEqualTo(ParkReason.EARLY);
              assertThat(it.error()).isEmpty();
              assertThat(it.signature()).isEmpty();
            });
    assertThat(broker.events)
        .containsExactly(new MessageBuffered("shipping", "order-1@2", Optional.of("OrderPlaced")));
    assertThat(broker.store.remembered).isEmpty();
    assertThat(broker.limits.roomFor("shipping", 1L << 29)).isEqualTo(Limits.Room.ALL);
  }

  @Test
  void aRolledBackReleaseReleasesNothing() {
    broker.deliver(version("order-1", 2));
    broker.commitsFail = true;
    broker.deliver(version("order-1", 1));

    assertThat(broker.store.parked).hasSize(1);
    assertThat(broker.store.awaited).hasSize(1);
    assertThat(broker.wakeUps.released).isEmpty();
    broker.commitsFail = false;
    broker.deliver(version("order-1", 1));

    assertThat(broker.wakeUps.released).containsEntry("shipping", 1);
    assertThat(broker.store.parked).isEmpty();
  }

  @Test
  void aDuplicateIsSkippedAndOtherContentQuarantined() {
    broker.deliver(version("order-1", 2));
    broker.deliver(version("order-1", 2));
    broker.deliver(version("order-1", 2).with(new Fingerprint(1, "22".repeat(32))));

    assertThat(broker.events.get(1)).isInstanceOf(MessageSkipped.class);
    assertThat(broker.events.get(2)).isInstanceOf(MessageQuarantined.class);
    assertThat(broker.store.parked).hasSize(1);
    assertThat(broker.store.quarantined.get(0).reason()).isEqualTo(QuarantineReason.OTHER_CONTENT);
  }

  @Test
  void aSecondMessageOfAVersionIsReleasedWithTheFirstAndQuarantined() {
    broker.deliver(version("order-1", 2));
    broker.deliver(TestDelivery.of("another").with(aggregate("order-1", 2)));
    broker.deliver(version("order-1", 3));
    broker.send(version("order-1", 1));
    broker.run(100);

    assertThat(handled()).containsExactly(of("order-1", 1, 2, 3));
    assertThat(broker.store.quarantined)
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).isEqualTo(QuarantineReason.SAME_VERSION));
  }

  @Test
  void onlyTheNextVersionIsReleasedAndNoOtherAggregates() {
    for (long version : List.of(2L, 3L, 5L)) {
      broker.deliver(version("order-1", version));
    }
    broker.deliver(version("order-2", 2));
    broker.send(version("order-1", 1));
    broker.run(100);

    assertThat(handled()).containsExactly(of("order-1", 1, 2, 3));
    assertThat(broker.store.parked)
        .extracting(it -> it.messageId())
        .containsExactlyInAnyOrder("order-1@5", "order-2@2");
    assertThat(broker.store.awaited)
        .containsExactlyInAnyOrder("shipping/Order/order-1", "shipping/Order/order-2");
  }

  @Test
  void aDiscardedVersionIsPassedOver() {
    broker.deliver(version("order-1", 4));
    broker.store.discard("shipping", "order-1@2", aggregate("order-1", 2));
    broker.store.discard("shipping", "order-1@3", aggregate("order-1", 3));
    broker.send(version("order-1", 1));
    broker.run(100);

    assertThat(handled()).containsExactly(of("order-1", 1, 4));
  }

  @Test
  void messagesParkedForAMissingVersionAreReleasedInOrder() {
    FakeBroker bounded = broker(Map.of("consumer.shipping.early.limit", "1"));
    for (long version = 4; version >= 2; version--) {
      bounded.send(version("order-1", version));
    }
    bounded.run(1_000);
    assertThat(bounded.store.parked)
        .extracting(it -> it.messageId() + " " + it.reason())
        .containsExactly(
            "order-1@4 EARLY", "order-1@3 VERSION_MISSING", "order-1@2 VERSION_MISSING");
    assertThat(bounded.store.parked.get(1).error()).contains("from 1 to 2", "early.limit");

    bounded.send(version("order-1", 1));
    bounded.run(1_000);

    assertThat(handled(bounded)).containsExactly(of("order-1", 1, 2, 3, 4));
    assertThat(bounded.delays).as("none waited once more").isEmpty();
    assertThat(bounded.store.parked).isEmpty();
  }

  @Test
  void aRedrivenVersionThatIsStillEarlyWaitsAgain() {
    broker.deliver(version("order-1", 3));
    broker.redrive();
    broker.run(1);

    assertThat(broker.store.parked).extracting(it -> it.messageId()).containsExactly("order-1@3");
    assertThat(broker.store.handedBack).isEmpty();
    broker.send(version("order-1", 1));
    broker.send(version("order-1", 2));
    broker.run(100);
    assertThat(handled()).containsExactly(of("order-1", 1, 2, 3));
  }

  @Test
  void beyondTheLimitAVersionIsParked() {
    FakeBroker bounded = broker(Map.of("consumer.shipping.early.limit", "2"));
    for (long version = 4; version >= 2; version--) {
      bounded.deliver(version("order-1", version));
    }

    assertThat(reasons(bounded))
        .containsExactly(ParkReason.EARLY, ParkReason.EARLY, ParkReason.VERSION_MISSING);
    bounded.limits.counted(Map.of(), Duration.ZERO); // those since the last mark stay
    bounded.deliver(version("order-2", 2));
    assertThat(reasons(bounded)).hasSize(4).last().isEqualTo(ParkReason.VERSION_MISSING);
    bounded.counts(Kind.EARLY, Used.NOTHING);
    bounded.deliver(version("order-3", 2));
    assertThat(reasons(bounded)).hasSize(5).last().isEqualTo(ParkReason.EARLY);
  }

  /** Of invented aggregates, the first versions of which never come. */
  @Test
  void beyondTheLimitOfBytesAVersionIsParked() {
    FakeBroker bounded = broker(Map.of("consumer.shipping.early.bytes", "100"));
    bounded.counts(Kind.EARLY, new Used(1, 99));
    bounded.deliver(version("order-1", 2));
    assertThat(reasons(bounded)).containsExactly(ParkReason.EARLY);

    bounded.deliver(version("order-2", 2));
    assertThat(reasons(bounded))
        .as("what this node has buffered is added")
        .containsExactly(ParkReason.EARLY, ParkReason.VERSION_MISSING);
  }

  private static List<ParkReason> reasons(FakeBroker of) {
    return of.store.parked.stream().map(Parked::reason).toList();
  }

  @Test
  void aMessageThatCannotBeSentAgainIsNotBuffered() {
    broker.canBeSentAgain = false;
    broker.redeliversAtOnce = false;
    assertThat(broker.deliver(version("order-1", 2))).as("the caller has to").isEmpty();
    assertThat(broker.store.parked).isEmpty();

    broker.canBeSentAgain = true;
    assertThat(broker.deliver(version("order-1", 2).thatCannotBeKept())).isEmpty();
    assertThat(broker.store.parked).isEmpty();
    assertThat(broker.thrown)
        .hasSize(2)
        .allSatisfy(it -> assertThat(it).isInstanceOf(RetryLaterException.class));
  }

  @Test
  void withoutAnEarlyVersionNoStatementIsAdded() {
    broker.deliver(version("order-1", 1));
    assertThat(broker.store.statements).as("lock, insert, move on").isEqualTo(3);
    broker.deliver(version("order-1", 2));
    assertThat(broker.store.statements).isEqualTo(6);
  }

  @Test
  void aVersionWhoseHandlerFailsForGoodHoldsThoseBehindItUntilItIsDecidedAbout() {
    broker.handler =
        run -> {
          if (run.messageId().equals("order-1@2")) {
            throw new IllegalStateException("no stock");
          }
          return "done";
        };
    for (long version = 4; version >= 1; version--) {
      broker.send(version("order-1", version));
    }
    broker.run(1_000);

    assertThat(handled()).containsExactly(of("order-1", 1));
    assertThat(broker.events).anySatisfy(it -> assertThat(it).isInstanceOf(MessageParked.class));
    assertThat(broker.store.parked)
        .extracting(it -> it.messageId() + " " + it.reason())
        .containsExactlyInAnyOrder(
            "order-1@2 TOO_MANY_FAILURES", "order-1@3 EARLY", "order-1@4 EARLY");
  }

  @RepeatedTest(20)
  void anyOrderOfArrivalEndsInTheOrderOfVersions(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<TestDelivery> all = new ArrayList<>();
    for (int order = 1; order <= 50; order++) {
      for (long version = 1; version <= 20; version++) {
        all.add(version("order-" + order, version));
      }
    }
    all.addAll(all.subList(0, 100));
    Collections.shuffle(all, random);
    all.forEach(broker::send);

    broker.run(1_000_000);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.delays).isEmpty();
    assertThat(broker.store.parked).isEmpty();
    assertThat(broker.store.awaited).isEmpty();
    Map<String, List<Long>> handled = new HashMap<>();
    for (String id : handled()) {
      String[] parts = id.split("@", 2);
      handled.computeIfAbsent(parts[0], key -> new ArrayList<>()).add(Long.valueOf(parts[1]));
    }
    assertThat(handled).hasSize(50);
    assertThat(handled.values())
        .allSatisfy(
            versions ->
                assertThat(versions)
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList()));
    assertThat(broker.store.outcomes.values()).containsOnly(Outcome.PROCESSED);
  }

  private List<String> handled() {
    return handled(broker);
  }

  private static List<String> handled(FakeBroker by) {
    return by.events.stream()
        .filter(MessageProcessed.class::isInstance)
        .map(it -> ((MessageProcessed) it).messageId())
        .toList();
  }

  private static String[] of(String order, long... versions) {
    return LongStream.of(versions).mapToObj(it -> order + "@" + it).toArray(String[]::new);
  }

  private static TestDelivery version(String order, long version) {
    return TestDelivery.of(order + "@" + version).with(aggregate(order, version));
  }

  private static Aggregate aggregate(String order, long version) {
    return new Aggregate("Order", order, version);
  }
}
