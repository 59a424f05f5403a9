package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.receiver.Limits.Limit;
import io.postbox.inbox.receiver.Limits.Room;
import io.postbox.inbox.receiver.Limits.Used;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Neither a sender nor a slow handler can fill the tables. */
class LimitsTest {
  private static final TestDelivery WITHOUT_ID =
      TestDelivery.of(new Unusable(QuarantineReason.MISSING_ID));
  private static final int FLOOD = 1_000;
  private static final Limit KEPT = new Limit("shipping", Kind.KEPT);
  private static final Limit CAPTURED = new Limit("shipping", Kind.CAPTURED);
  private static final Duration COUNTED_BY_THIS_NODE = Duration.ZERO;

  private final SettableClock clock = new SettableClock();
  private final Limits limits =
      new Limits(
          TestConfig.shop(Map.of("capture.limit", "100", "consumer.mail.capture.limit", "1")),
          clock);

  @Test
  void aFullQuotaLeavesFurtherMessagesInTheirQueue() {
    FakeBroker broker = broker("quota.messages", "10");

    flood(broker);

    assertThat(broker.store.quarantined).hasSize(10);
    assertThat(broker.thrown)
        .hasSize(FLOOD - 10)
        .first()
        .asString()
        .contains("'shipping'", "have reached", "postbox.inbox.quota");
    assertThat(broker.limits.toBePaused()).as("before the next count").containsExactly(KEPT);
    assertThat(broker.failures).as("nobody's handler has failed").isEmpty();
    assertThat(broker.deliver(TestDelivery.of("good"))).as("a good one").contains("done");
  }

  @Test
  void whereThatIsWantedMetadataAloneAreKeptAndOfThoseNoMoreThanTenTimesAsMany() {
    FakeBroker broker = broker("quota.messages", "10", "quota.when-full", "metadata");

    flood(broker);

    assertThat(broker.store.quarantined).hasSize(100);
    assertThat(contents(broker, 0, 10)).allMatch(content -> content.type() == BodyType.TEXT);
    assertThat(contents(broker, 10, 100))
        .allMatch(content -> content.type() == BodyType.NOT_KEPT && content.text() == null)
        .extracting(Content::properties)
        .containsOnly("{\"headers\":{},\"properties\":{\"JMSType\":\"OrderPlaced\"}}");
    assertThat(broker.thrown).hasSize(FLOOD - 100);
    assertThat(broker.limits.isFull("shipping", Kind.KEPT)).isTrue();
    assertThat(broker.limits.toBePaused()).isEmpty();
  }

  @Test
  void theirSizeCountsToo() {
    FakeBroker broker = broker("quota.bytes", "1000");
    TestDelivery large = WITHOUT_ID.with(new Content(BodyType.TEXT, "ü".repeat(499), null, "{}"));

    assertThat(broker.deliver(large)).as("exactly as much").isPresent();
    assertThat(broker.deliver(WITHOUT_ID)).isEmpty();
  }

  @Test
  void theCountIncludesOtherNodesAndAQuotaIsFullUntilATenthIsFree() {
    FakeBroker broker = broker("quota.messages", "10");
    broker.counts(Kind.KEPT, new Used(10, 10));
    assertThat(broker.deliver(WITHOUT_ID)).isEmpty();
    assertThat(broker.limits.toBePaused()).containsExactly(KEPT);
    assertThat(broker.limits.isFull("shipping", Kind.KEPT)).isTrue();

    broker.counts(Kind.KEPT, new Used(9, 9));
    assertThat(broker.limits.isFull("shipping", Kind.KEPT)).isTrue();

    broker.counts(Kind.KEPT, new Used(8, 8));
    assertThat(broker.limits.toBePaused()).isEmpty();
    assertThat(broker.deliver(WITHOUT_ID)).isPresent();
  }

  @Test
  void alsoBySizeItIsFullUntilATenthIsFree() {
    FakeBroker broker = broker("quota.bytes", "1000");
    broker.counts(Kind.KEPT, new Used(1, 999));
    assertThat(broker.limits.isFull("shipping", Kind.KEPT)).isFalse();

    broker.counts(Kind.KEPT, new Used(1, 1_000));
    assertThat(broker.limits.isFull("shipping", Kind.KEPT)).isTrue();
    broker.counts(Kind.KEPT, new Used(1, 900));
    assertThat(broker.limits.isFull("shipping", Kind.KEPT)).isTrue();

    broker.counts(Kind.KEPT, new Used(1, 899));
    assertThat(broker.limits.isFull("shipping", Kind.KEPT)).isFalse();
  }

  @Test
  void keptMessagesAndThoseThatWaitForTheirRetryShareAQuota() {
    Limits both = broker("quota.messages", "10").limits;
    Limit delayed = new Limit("shipping", Kind.DELAYED);
    both.counted(Map.of(KEPT, new Used(5, 0), delayed, new Used(4, 0)), COUNTED_BY_THIS_NODE);
    assertThat(both.isFull("shipping", Kind.DELAYED)).isFalse();
    both.added("shipping", Kind.DELAYED, 0);
    assertThat(both.isFull("shipping", Kind.DELAYED)).isTrue();
    assertThat(both.isFull("shipping", Kind.KEPT)).as("those that failed for good").isFalse();

    both.counted(Map.of(KEPT, new Used(10, 0)), COUNTED_BY_THIS_NODE);
    both.counted(Map.of(KEPT, new Used(9, 0)), COUNTED_BY_THIS_NODE);
    assertThat(both.isFull("shipping", Kind.DELAYED)).as("until a tenth is free").isTrue();
  }

  /** A count of many rows is read again for minutes, and for as long as no other succeeds. */
  @Test
  void whatThisNodeStoresAfterACountIsKnownUntilTheNextOneHoweverOldThatIs() {
    limits.mark();
    limits.counted(Map.of(KEPT, new Used(5, 0)), COUNTED_BY_THIS_NODE);
    limits.added("shipping", Kind.KEPT, 1);
    for (int age = 1; age <= 20 * 60; age++) {
      clock.advance(Duration.ofSeconds(1));
      for (int i = 0; i < 5; i++) {
        limits.mark();
      }
      if (age % 5 == 0) {
        limits.counted(Map.of(KEPT, new Used(5, 0)), Duration.ofSeconds(age));
      }
    }

    assertThat(limits.used(KEPT)).isEqualTo(new Used(6, 1));

    limits.counted(Map.of(KEPT, new Used(6, 1)), Duration.ofSeconds(30));
    assertThat(limits.used(KEPT)).as("it is among the counted ones").isEqualTo(new Used(6, 1));
  }

  @Test
  void oneConsumersQuotaIsNotAnothers() {
    FakeBroker broker = broker("consumer.shipping.quota.messages", "10");

    flood(broker);
    for (int i = 0; i < 20; i++) {
      broker.deliver(WITHOUT_ID.to("billing"));
    }

    assertThat(broker.store.quarantined)
        .filteredOn(it -> it.delivery().consumer().equals("billing"))
        .hasSize(20);
  }

  @Test
  void aFloodIsLoggedByItsFirstOnesAndItsNumber() {
    FakeBroker broker = broker();
    try (LogLines lines = new LogLines()) {
      flood(broker);
      broker.now = broker.now.plusSeconds(61);
      broker.deliver(WITHOUT_ID);

      assertThat(lines.all()).filteredOn(line -> line.startsWith("IBX0005")).hasSize(21);
      assertThat(lines.all())
          .filteredOn(line -> line.startsWith("IBX0181"))
          .singleElement()
          .asString()
          .contains("980 more", "'shipping'");
    }
    FakeBroker full = broker("quota.messages", "1");
    try (LogLines lines = new LogLines()) {
      flood(full);

      assertThat(lines.all())
          .filteredOn(line -> line.startsWith("IBX0182"))
          .singleElement()
          .asString()
          .contains("'shipping'", "messages=1", "rolled back and throttled");
    }
  }

  @Test
  void whatWasKeptSinceACountIsAddedHoweverOftenThatCountIsRead() {
    FakeBroker broker = broker("quota.messages", "10");
    broker.counts(Kind.KEPT, new Used(8, 8));
    broker.deliver(WITHOUT_ID);
    broker.deliver(WITHOUT_ID);
    for (int reads = 0; reads < 3; reads++) {
      broker.now = broker.now.plusSeconds(5);
      broker.limits.mark();
      broker.limits.counted(Map.of(KEPT, new Used(8, 8)), broker.now);
    }

    assertThat(broker.limits.roomFor("shipping", 1)).isEqualTo(Room.NONE);
    broker.counts(Kind.KEPT, new Used(8, 8));
    assertThat(broker.limits.roomFor("shipping", 1)).as("some were discarded").isEqualTo(Room.ALL);
  }

  @Test
  void aBacklogIsFullAtItsBytesUntilATenthIsFree() {
    Limits few = new Limits(TestConfig.shop(Map.of("capture.bytes", "1000")), clock);
    few.added("shipping", Kind.CAPTURED, 600);
    clock.advance(Duration.ofSeconds(5));
    few.mark();
    few.counted(Map.of(CAPTURED, new Used(1, 600)), COUNTED_BY_THIS_NODE);
    few.added("shipping", Kind.CAPTURED, 399);
    assertThat(few.isFull("shipping", Kind.CAPTURED)).isFalse();
    few.added("shipping", Kind.CAPTURED, 1);
    assertThat(few.toBePaused()).containsExactly(CAPTURED);

    few.removed("shipping", Kind.CAPTURED, 100);
    assertThat(few.isFull("shipping", Kind.CAPTURED)).isTrue();
    few.removed("shipping", Kind.CAPTURED, 1);
    assertThat(few.isFull("shipping", Kind.CAPTURED)).isFalse();
  }

  @Test
  void aBacklogHasALimitOfBytesByDefault() {
    Limits some = new Limits(TestConfig.shop(Map.of()), clock);
    some.added("shipping", Kind.CAPTURED, (1L << 30) - 1);
    assertThat(some.isFull("shipping", Kind.CAPTURED)).isFalse();
    some.added("shipping", Kind.CAPTURED, 1);
    assertThat(some.isFull("shipping", Kind.CAPTURED)).isTrue();
  }

  @Test
  void aBacklogIsFullAtTheLimitUntilATenthIsFree() {
    capture(99);
    assertThat(limits.isFull("shipping", Kind.CAPTURED)).isFalse();
    capture(1);
    assertThat(limits.toBePaused()).containsExactly(CAPTURED);

    end(10);
    assertThat(limits.isFull("shipping", Kind.CAPTURED)).isTrue();
    end(1);
    assertThat(limits.isFull("shipping", Kind.CAPTURED)).isFalse();
  }

  @Test
  void aLimitOfOneLetsOneWait() {
    limits.added("mail", Kind.CAPTURED, 10);
    assertThat(limits.isFull("mail", Kind.CAPTURED)).isTrue();
    limits.removed("mail", Kind.CAPTURED, 10);
    assertThat(limits.isFull("mail", Kind.CAPTURED)).isFalse();
  }

  @Test
  void theMessagesBeforeACountAreNotAddedToIt() {
    capture(60);
    clock.advance(Duration.ofSeconds(5));
    limits.mark();
    limits.counted(of(60), COUNTED_BY_THIS_NODE);
    assertThat(limits.used(CAPTURED).messages()).isEqualTo(60);

    capture(39);
    assertThat(limits.isFull("shipping", Kind.CAPTURED)).isFalse();
    capture(1);
    assertThat(limits.isFull("shipping", Kind.CAPTURED)).isTrue();
  }

  @Test
  void theMessagesSinceAnotherNodeBeganToCountAreAdded() {
    for (int second = 0; second < 10; second++) {
      clock.advance(Duration.ofSeconds(1));
      limits.mark();
      capture(10);
    }
    limits.counted(of(70), Duration.ofSeconds(2));

    assertThat(limits.used(CAPTURED).messages())
        .as("30 within two seconds and a bit")
        .isEqualTo(100);
    assertThat(limits.isFull("shipping", Kind.CAPTURED)).isTrue();
  }

  @Test
  void theNextCountIncludesTheWorkOfOthers() {
    limits.counted(of(100), COUNTED_BY_THIS_NODE);
    assertThat(limits.isFull("shipping", Kind.CAPTURED)).isTrue();

    clock.advance(Duration.ofSeconds(5));
    limits.mark();
    limits.counted(of(90), COUNTED_BY_THIS_NODE);
    assertThat(limits.isFull("shipping", Kind.CAPTURED)).isTrue();
    limits.counted(Map.of(), COUNTED_BY_THIS_NODE);
    assertThat(limits.isFull("shipping", Kind.CAPTURED)).isFalse();
  }

  @Test
  void ofMarksOlderThanTwoMinutesTheOneBeforeTheLastCountAloneIsKept() {
    capture(10);
    for (int mark = 0; mark < 10_000; mark++) {
      clock.advance(Duration.ofMillis(200));
      limits.mark();
    }
    limits.counted(of(10), Duration.ofMinutes(10));

    assertThat(limits.used(CAPTURED).messages()).as("rather too many").isEqualTo(20);
  }

  private void capture(int messages) {
    for (int i = 0; i < messages; i++) {
      limits.added("shipping", Kind.CAPTURED, 10);
    }
  }

  private void end(int messages) {
    for (int i = 0; i < messages; i++) {
      limits.removed("shipping", Kind.CAPTURED, 10);
    }
  }

  /** Each has ten bytes. */
  private static Map<Limit, Used> of(long messages) {
    return Map.of(CAPTURED, new Used(messages, 10 * messages));
  }

  private static void flood(FakeBroker broker) {
    for (int i = 0; i < FLOOD; i++) {
      broker.deliver(WITHOUT_ID);
    }
  }

  private static List<Content> contents(FakeBroker broker, int from, int to) {
    return broker.store.quarantined.subList(from, to).stream()
        .map(it -> it.delivery().content().get())
        .toList();
  }

  private static FakeBroker broker(String... settings) {
    return new FakeBroker(
        TestConfig.shop(
            settings.length == 0
                ? Map.of()
                : settings.length == 2
                    ? Map.of(settings[0], settings[1])
                    : Map.of(settings[0], settings[1], settings[2], settings[3])));
  }
}
