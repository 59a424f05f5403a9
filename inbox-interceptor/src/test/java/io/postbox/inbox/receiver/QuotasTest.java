package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.Quotas.Used;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A sender cannot fill the tables. */
class QuotasTest {
  private static final TestDelivery WITHOUT_ID =
      TestDelivery.of(new Unusable(QuarantineReason.MISSING_ID));
  private static final int FLOOD = 1_000;

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
    broker.quotas.counted(Map.of("shipping", new Used(10, 10)));
    assertThat(broker.deliver(WITHOUT_ID)).isEmpty();
    assertThat(broker.quotas.toBePaused()).containsExactly("shipping");
    assertThat(broker.quotas.isFull("shipping")).isTrue();

    broker.quotas.counted(Map.of("shipping", new Used(9, 9)));
    assertThat(broker.quotas.isFull("shipping")).isTrue();

    broker.quotas.counted(Map.of("shipping", new Used(8, 8)));
    assertThat(broker.quotas.toBePaused()).isEmpty();
    assertThat(broker.deliver(WITHOUT_ID)).isPresent();
  }

  @Test
  void alsoBySizeItIsFullUntilATenthIsFree() {
    Quotas quotas = broker("quota.bytes", "1000").quotas;
    quotas.counted(Map.of("shipping", new Used(1, 999)));
    assertThat(quotas.isFull("shipping")).isFalse();

    quotas.counted(Map.of("shipping", new Used(1, 1_000)));
    assertThat(quotas.isFull("shipping")).isTrue();
    quotas.counted(Map.of("shipping", new Used(1, 900)));
    assertThat(quotas.isFull("shipping")).isTrue();

    quotas.counted(Map.of("shipping", new Used(1, 899)));
    assertThat(quotas.isFull("shipping")).isFalse();
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
