package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.MessageBuffered;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionOrderTest {
  private final FakeBroker broker =
      new FakeBroker(TestConfig.shop(Map.of("consumer.shipping.order", "version")));

  /** That it goes with its last message is shown in VersionReleaseTest. */
  @Test
  void anInventedAggregateLeavesARowOnlyWhileAMessageOfItWaits() {
    broker.canBeSentAgain = false;
    broker.send(version("invented", 7));
    broker.deliver(version("invented, too", -1));
    broker.run(3);
    assertThat(broker.store.versions).as("while it waits at the broker").isEmpty();
    broker.run(10_000);

    assertThat(broker.store.parked).hasSize(1);
    assertThat(broker.store.versions).containsOnlyKeys("shipping/Order/invented");
    assertThat(broker.store.awaited).containsOnly("shipping/Order/invented");

    broker.deliver(version("invented", 1));
    assertThat(broker.store.versions).as("what was handled stays").hasSize(1);
  }

  @Test
  void aConsumerKnowsNoMoreAggregatesThanItMay() {
    FakeBroker bounded =
        new FakeBroker(
            TestConfig.shop(
                Map.of("consumer.shipping.order", "version", "quota.aggregates", "10")));
    for (int i = 0; i < 10; i++) {
      assertThat(bounded.deliver(version("order-" + i, 1))).contains("done");
    }

    for (int i = 0; i < 100; i++) {
      bounded.deliver(version("invented-" + i, 1));
    }

    assertThat(bounded.limits.isFull("shipping", Limits.Kind.AGGREGATES))
        .as("what the gauge shows")
        .isTrue();
    assertThat(bounded.limits.toBePaused()).as("others go on").isEmpty();
    assertThat(bounded.store.versions).hasSize(10);
    assertThat(bounded.store.parked)
        .hasSize(100)
        .allSatisfy(
            parked -> {
              assertThat(parked.reason()).isEqualTo(ParkReason.TOO_MANY_AGGREGATES);
              assertThat(parked.error()).contains("postbox.inbox.quota.aggregates");
            });
    assertThat(bounded.store.remembered).as("a redrive is no duplicate").hasSize(10);
    assertThat(bounded.deliver(version("order-3", 2))).as("a known one goes on").contains("done");
    assertThat(bounded.deliver(version("order-3", 2))).as("its duplicate").contains("null");
  }

  @Test
  void othersAggregatesCountWhenCountedAndOwnOnesOnce() {
    FakeBroker bounded =
        new FakeBroker(
            TestConfig.shop(
                Map.of("consumer.shipping.order", "version", "quota.aggregates", "10")));
    Limits known = bounded.limits;
    known.counted("shipping", 8, Instant.EPOCH);
    assertThat(bounded.deliver(version("order-1", 1))).contains("done");
    known.counted("shipping", 8, Instant.EPOCH); // the same count, read once more
    assertThat(bounded.deliver(version("order-2", 1))).contains("done");

    bounded.deliver(version("order-3", 1));
    assertThat(bounded.store.parked).hasSize(1);

    known.counted("shipping", 5, Instant.EPOCH.plusSeconds(60)); // somebody has deleted some
    assertThat(bounded.deliver(version("order-4", 1))).contains("done");
    known.counted("shipping", 9, Instant.EPOCH.plusSeconds(120));
    bounded.deliver(version("order-5", 1));
    assertThat(bounded.store.parked).as("the one since the last count may be another").hasSize(2);
  }

  @Test
  void theNextVersionPassesAndAnEarlierOneIsStale() {
    broker.deliver(version("order-1", 1));
    broker.deliver(version("order-1", 2));
    broker.deliver(version("order-1", 1).with(aggregate("order-1", 2)));
    TestDelivery late = TestDelivery.of("another id").with(aggregate("order-1", 1));

    broker.deliver(late);

    assertThat(broker.store.outcomes)
        .containsEntry("shipping/order-1@2", Outcome.PROCESSED)
        .containsEntry("shipping/another id", Outcome.STALE);
    assertThat(broker.events)
        .last()
        .isInstanceOfSatisfying(
            MessageSkipped.class, it -> assertThat(it.why()).isEqualTo(Why.STALE));
  }

  @Test
  void anotherMessageOfTheSameVersionIsNotLostAsStale() {
    broker.deliver(version("order-1", 1));
    TestDelivery priced = TestDelivery.of("priced").with(aggregate("order-1", 1));

    broker.deliver(priced);

    assertThat(broker.store.outcomes).doesNotContainKey("shipping/priced");
    assertThat(broker.store.quarantined)
        .singleElement()
        .satisfies(kept -> assertThat(kept.reason()).isEqualTo(QuarantineReason.SAME_VERSION));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aVersionBelowTheFirstIsQuarantinedAndTheReasonNamesTheSetting(long below) {
    try (LogLines lines = new LogLines()) {
      for (String order : List.of("new", "known")) {
        broker.deliver(version("known", 1));

        broker.deliver(version(order, below));

        assertThat(broker.store.quarantined)
            .last()
            .satisfies(
                kept -> {
                  assertThat(kept.messageId()).isEqualTo(order + "@" + below);
                  assertThat(kept.reason()).isEqualTo(QuarantineReason.BELOW_FIRST_VERSION);
                });
        assertThat(broker.store.outcomes).doesNotContainKey("shipping/" + order + "@" + below);
        assertThat(lines.all())
            .last()
            .asString()
            .startsWith("IBX0005")
            .contains("order.first-version");
      }
    }
    assertThat(broker.store.versions).containsOnlyKeys("shipping/Order/known");
  }

  @Test
  void aConsumerMayBeginWithVersionZero() {
    FakeBroker fromZero = ordered("order.first-version", "0");

    assertThat(fromZero.deliver(version("order-1", 0))).contains("done");
    assertThat(fromZero.deliver(version("order-1", 1))).contains("done");
  }

  @Test
  void aConsumerMayBeginWithTheVersionThatComesFirst() {
    FakeBroker joining = ordered("order.first-version", "any");

    assertThat(joining.deliver(version("order-1", 58))).contains("done");
    assertThat(joining.deliver(version("order-1", 59))).contains("done");

    joining.deliver(version("order-1", 61));
    assertThat(joining.store.parked)
        .as("60 is missing")
        .singleElement()
        .extracting(it -> it.messageId())
        .isEqualTo("order-1@61");
    joining.deliver(version("order-1", 57));
    joining.deliver(version("order-2", Long.MIN_VALUE));
    assertThat(joining.store.quarantined)
        .as("57 was not handled, and nothing says that it never has to be")
        .extracting(it -> it.messageId() + " " + it.reason())
        .containsExactly(
            "order-1@57 BELOW_FIRST_VERSION", "order-2@-9223372036854775808 BELOW_FIRST_VERSION");
  }

  @Test
  void whatWasHandledBeforeThereWasAnOrderIsADuplicate() {
    FakeBroker joining = ordered("order.first-version", "any");
    joining.store.remembered.put(
        "shipping/order-1@57", version("order-1", 57).delivery().fingerprint());
    joining.deliver(version("order-1", 58));

    joining.deliver(version("order-1", 57));

    assertThat(joining.store.quarantined).isEmpty();
    assertThat(joining.events)
        .last()
        .isInstanceOfSatisfying(
            MessageSkipped.class, it -> assertThat(it.why()).isEqualTo(Why.DUPLICATE));
  }

  @Test
  void aStaleVersionIsSkippedWithALine() {
    broker.deliver(version("order-1", 1));
    broker.deliver(version("order-1", 2));

    try (LogLines lines = new LogLines()) {
      broker.deliver(TestDelivery.of("another id").with(aggregate("order-1", 1)));
      broker.deliver(TestDelivery.of("a third id").with(aggregate("order-1", 1)));

      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0250 ")
          .contains("another id", "'shipping'", "version 1 of Order order-1");
    }
  }

  private static FakeBroker ordered(String key, String value) {
    return new FakeBroker(
        TestConfig.shop(
            Map.of("consumer.shipping.order", "version", "consumer.shipping." + key, value)));
  }

  @Test
  void aDuplicateIsADuplicateAndNotStale() {
    broker.deliver(version("order-1", 1));

    broker.deliver(version("order-1", 1));

    assertThat(broker.events)
        .last()
        .isInstanceOfSatisfying(
            MessageSkipped.class, it -> assertThat(it.why()).isEqualTo(Why.DUPLICATE));
  }

  @Test
  void aLaterVersionWaitsAndThatDoesNotCount() {
    broker.send(version("order-1", 2));
    broker.run(2);
    broker.send(version("order-1", 1));

    broker.run(100);

    assertThat(broker.store.remembered).hasSize(2);
    assertThat(broker.failures).isEmpty();
    assertThat(broker.isEmpty()).isTrue();
  }

  @Test
  void aVersionThatNeverComesHasItsFollowerWaitInItsRow() {
    broker.send(version("order-1", 3));

    broker.run(100);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(parked -> assertThat(parked.reason()).isEqualTo(ParkReason.EARLY));
    assertThat(broker.events).last().isInstanceOf(MessageBuffered.class);
  }

  @Test
  void oneThatCouldNotBeStoredIsStoredWhenThatWorksAgain() {
    broker.canBeSentAgain = false;
    broker.send(version("order-1", 3));
    broker.run(1);
    broker.canBeSentAgain = true;

    broker.run(100);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(parked -> assertThat(parked.reason()).isEqualTo(ParkReason.EARLY));
  }

  @Test
  void oneThatCanNeverBeStoredIsHeldUpAndParkedAfterAsManyWaits() {
    broker.canBeSentAgain = false;
    broker.send(version("order-1", 3));

    broker.run(10_000);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(
            parked -> {
              assertThat(parked.reason()).isEqualTo(ParkReason.VERSION_MISSING);
              assertThat(parked.error()).contains("from 1 to 2", "20 times");
            });
    assertThat(broker.events).last().isInstanceOf(MessageParked.class);
    assertThat(broker.away).isEmpty();
    assertThat(broker.holds).as("a second each, of 20 waits").isGreaterThan(20);
  }

  @Test
  void oneThatIsHeldUpIsHandledAsSoonAsItsTurnHasCome() {
    broker.canBeSentAgain = false;
    broker.send(version("order-1", 2));
    broker.run(3);
    broker.deliver(version("order-1", 1));

    broker.run(1);

    assertThat(broker.store.outcomes).containsEntry("shipping/order-1@2", Outcome.PROCESSED);
  }

  @Test
  void aCopyThatCanBeSentByNobodyElseIsNotBuffered() {
    broker.canBeHandedBack = false;
    TestDelivery early = version("order-1", 2);
    broker.store.handBack(
        new Parked(early.delivery(), "order-1@2", ParkReason.REJECTED, "broken", "5ef0", 3));
    broker.send(early.with(new StoredRow(1, 1)));
    broker.run(3);
    assertThat(broker.store.handedBack).hasSize(1);
    assertThat(broker.store.parked).isEmpty();
    broker.deliver(version("order-1", 1));

    broker.run(1);

    assertThat(broker.store.outcomes).containsEntry("shipping/order-1@2", Outcome.PROCESSED);
    assertThat(broker.store.handedBack).isEmpty();
  }

  @Test
  void aDiscardedVersionLetsThoseBehindItGoWhenItsTurnComes() {
    broker.store.discard("shipping", "order-1@3", aggregate("order-1", 3));
    broker.store.discard("shipping", "order-1@4", aggregate("order-1", 4));
    broker.send(version("order-1", 5));
    broker.run(2);
    assertThat(broker.store.outcomes).doesNotContainKey("shipping/order-1@5");
    broker.send(version("order-1", 1));
    broker.send(version("order-1", 2));

    broker.run(100);

    assertThat(broker.store.outcomes)
        .containsEntry("shipping/order-1@2", Outcome.PROCESSED)
        .containsEntry("shipping/order-1@5", Outcome.PROCESSED);
    assertThat(broker.store.parked).isEmpty();
    assertThat(broker.store.versions).containsEntry("shipping/Order/order-1", 5L);
  }

  @Test
  void aLateCopyOfTheLastSkippedVersionIsStale() {
    broker.deliver(version("order-1", 1));
    broker.store.versions.put("shipping/Order/order-1", 4L);
    broker.store.discarded.add("shipping/Order/order-1@4");

    broker.deliver(version("order-1", 3));
    broker.deliver(version("order-1", 4));

    assertThat(broker.store.outcomes)
        .containsEntry("shipping/order-1@3", Outcome.STALE)
        .containsEntry("shipping/order-1@4", Outcome.STALE);
    assertThat(broker.store.quarantined).isEmpty();
  }

  @Test
  void aDiscardedVersionOfAnotherAggregateLetsNobodyGo() {
    broker.store.discard("shipping", "order-2@1", aggregate("order-2", 1));
    broker.send(version("order-1", 2));

    broker.run(100);

    assertThat(broker.store.parked).hasSize(1);
  }

  @Test
  void aLateCopyOfADiscardedVersionIsSkippedBeforeAtAndAfterItsTurn() {
    broker.store.discard("shipping", "order-1@2", aggregate("order-1", 2));
    for (long handled = 0; handled <= 2; handled++) {
      broker.deliver(version("order-1", 2));
      assertThat(broker.events)
          .last()
          .isInstanceOfSatisfying(
              MessageSkipped.class, it -> assertThat(it.why()).isEqualTo(Why.DUPLICATE));
      broker.deliver(version("order-1", handled == 0 ? 1 : 3));
    }

    assertThat(broker.delays).isEmpty();
    assertThat(broker.store.outcomes)
        .containsEntry("shipping/order-1@3", Outcome.PROCESSED)
        .containsEntry("shipping/order-1@2", Outcome.DISCARDED);
  }

  @Test
  void aMessageWithoutAVersionIsQuarantined() {
    broker.deliver(TestDelivery.of("id-1"));

    assertThat(broker.store.quarantined)
        .singleElement()
        .extracting(it -> it.reason())
        .isEqualTo(QuarantineReason.MISSING_VERSION);
  }

  @Test
  void aVersionWhoseHandlerFailsDoesNotMoveTheAggregateOn() {
    broker.handler =
        run -> {
          throw new IllegalStateException("no stock");
        };

    broker.deliver(version("order-1", 1));

    assertThat(broker.store.versions).isEmpty();
  }

  @RepeatedTest(20)
  void anyOrderOfArrivalEndsInTheOrderOfVersions(RepetitionInfo repetition) {
    FakeBroker patient =
        new FakeBroker(TestConfig.shop(Map.of("consumer.shipping.order", "version")));
    patient.canBeSentAgain = false; // all wait at the broker
    Map<String, List<Long>> handled = new HashMap<>();
    patient.handler =
        run -> {
          String[] parts = run.messageId().split("@", 2);
          handled.computeIfAbsent(parts[0], key -> new ArrayList<>()).add(Long.valueOf(parts[1]));
          return null;
        };
    List<TestDelivery> all = new ArrayList<>();
    for (int order = 1; order <= 50; order++) {
      for (long version = 1; version <= 20; version++) {
        all.add(version("order-" + order, version));
      }
    }
    Collections.shuffle(all, new Random(repetition.getCurrentRepetition()));
    all.forEach(patient::send);

    patient.run(1_000_000);

    assertThat(patient.isEmpty()).isTrue();
    assertThat(patient.store.parked).isEmpty();
    assertThat(handled).hasSize(50);
    assertThat(handled.values())
        .allSatisfy(
            versions ->
                assertThat(versions)
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList()));
  }

  private static TestDelivery version(String order, long version) {
    return TestDelivery.of(order + "@" + version).with(aggregate(order, version));
  }

  private static Aggregate aggregate(String order, long version) {
    return new Aggregate("Order", order, version);
  }
}
