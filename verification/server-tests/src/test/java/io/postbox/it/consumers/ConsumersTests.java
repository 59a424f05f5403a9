package io.postbox.it.consumers;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Page;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same on each database. */
abstract class ConsumersTests {
  private static final int ATTEMPTS = 3;

  /** Of the beans behind one listener: enough to see their copies multiply, if they did. */
  private static final int ATTEMPTS_OF_BEANS = 6;

  private final String prefix = TestApplication.of(getClass()).queue() + "-";
  private final String run = UUID.randomUUID().toString();

  @Inject Effects effects;
  @Inject Cashier cashier;
  @Inject Clerk clerk;
  @Inject ParkedMessages parked;
  @Inject QuarantinedMessages quarantined;
  @Inject InboxStatistics statistics;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.inbox.connection-factory",
            "jms/cf",
            "postbox.inbox.max-attempts",
            String.valueOf(ATTEMPTS),
            "postbox.inbox.backoff.first",
            "50ms",
            "postbox.inbox.backoff.max",
            "100ms",
            "postbox.inbox.consumer.cashier.max-attempts",
            String.valueOf(ATTEMPTS_OF_BEANS),
            "postbox.inbox.consumer.clerk.max-attempts",
            String.valueOf(ATTEMPTS_OF_BEANS),
            "postbox.inbox.consumer.billing.retry-destination",
            it.queue() + "-retry"));
  }

  @AfterEach
  void nothingIsLeftInTheQueues() {
    for (String queue : List.of("left", "right", "retry", "front", "lone", "header", "resolved")) {
      eventually(() -> assertThat(Broker.depth(prefix + queue)).as(queue).isZero());
    }
  }

  @Test
  void anIdOnTwoQueuesOfOneConsumerIsHandledOnce() {
    long skipped = skipped("both");
    List<String> texts = texts(20);
    for (String text : texts) {
      UUID id = UUID.randomUUID();
      Broker.send(prefix + "left", id, text, 1);
      Broker.send(prefix + "right", id, text, 1);
    }

    eventually(() -> assertThat(skipped("both")).isEqualTo(skipped + 20));
    assertThat(effects.of("both", run + "%")).containsExactlyInAnyOrderElementsOf(texts);
  }

  @Test
  void aMessageForAPlainBeanAndASessionBeanIsHandledOnceByEach() {
    long skippedByCashier = skipped("cashier");
    long skippedByClerk = skipped("clerk");

    Broker.send(prefix + "front", UUID.randomUUID(), run, 3);

    eventually(() -> assertThat(skipped("clerk")).isEqualTo(skippedByClerk + 2));
    assertThat(skipped("cashier")).isEqualTo(skippedByCashier + 2);
    assertThat(effects.of("cashier", run)).hasSize(1);
    assertThat(effects.of("clerk", run)).hasSize(1);
  }

  @Test
  void aBeanThatIsCalledWithoutATransactionHandlesAMessageOnceToo() throws JMSException {
    long skipped = skipped("cashier") + skipped("clerk");
    try (JMSContext context = context()) {
      TextMessage message = context.createTextMessage(run);
      message.setStringProperty("OutboxMessageId", UUID.randomUUID().toString());
      effects.refuse("cashier", run);
      assertThatThrownBy(() -> cashier.take(message)).hasRootCauseMessage("not " + run);
      assertThat(effects.of("cashier", run)).isEmpty();
      effects.take("cashier", run);
      for (int copy = 0; copy < 2; copy++) {
        cashier.take(message);
        clerk.file(message);
      }
    }

    assertThat(effects.of("cashier", run)).hasSize(1);
    assertThat(effects.of("clerk", run)).hasSize(1);
    assertThat(skipped("cashier") + skipped("clerk")).isEqualTo(skipped + 2);
  }

  /** Its listener hears of no rollback that is not thrown, and would acknowledge. */
  @Test
  void aSilentRollbackBelowAListenerInNoTransactionIsRedelivered() {
    for (Way way : Way.values()) {
      String text = run + " " + way;
      effects.giveUpOnce(way == Way.MARKED_LATE ? "late" : way.consumer(), text);
      Broker.send(prefix + "lone", UUID.randomUUID(), text, 1);
    }

    for (Way way : Way.values()) {
      String text = run + " " + way;
      eventually(() -> assertThat(effects.of(way.consumer(), text)).as("by " + way).hasSize(1));
      assertThat(effects.triesOf(way.consumer(), text)).as("tries by " + way).isEqualTo(2);
    }
  }

  @Test
  void aFailedBeansMessageIsRetriedForItAloneAndHandledOnceAfterItsRedrive() {
    UUID id = UUID.randomUUID();
    effects.refuse("cashier", run);

    Broker.send(prefix + "front", id, run, 1);

    KeptMessage message = parked("cashier", id);
    assertThat(effects.triesOf("cashier", run)).isEqualTo(ATTEMPTS_OF_BEANS);
    assertThat(effects.of("clerk", run)).hasSize(1);

    effects.take("cashier", run);
    redrive(message);
    eventually(() -> assertThat(effects.of("cashier", run)).hasSize(1));
    assertThat(effects.of("clerk", run)).hasSize(1);
  }

  @Test
  void anUnhandledMessageIsRetriedInOneCopyAndParkedForEachBean() {
    UUID id = UUID.randomUUID();
    effects.refuse("cashier", run);
    effects.refuse("clerk", run);

    Broker.send(prefix + "front", id, run, 1);

    parked("cashier", id);
    parked("clerk", id);
    eventually(() -> assertThat(Broker.depth(prefix + "front")).isZero());
    assertThat(effects.triesOf("cashier", run)).isEqualTo(ATTEMPTS_OF_BEANS);
    assertThat(effects.triesOf("clerk", run)).isEqualTo(ATTEMPTS_OF_BEANS);
    // for each attempt: one that fails for either, and one that is sent again
    assertThat(effects.deliveriesOf(run)).isLessThan(5 * ATTEMPTS_OF_BEANS);
  }

  @Test
  void aMessageThatBothQuarantineIsHandledOnceByEachWhenReleased() {
    long skippedByCashier = skipped("cashier");
    long skippedByClerk = skipped("clerk");

    Broker.sendWithoutId(prefix + "front", run);
    eventually(() -> assertThat(quarantined.plan(KeptFilter.all()).messages()).isEqualTo(2));
    quarantined.redrive(quarantined.plan(KeptFilter.all()), "they are ours");

    eventually(() -> assertThat(skipped("cashier")).isEqualTo(skippedByCashier + 1));
    eventually(() -> assertThat(skipped("clerk")).isEqualTo(skippedByClerk + 1));
    assertThat(effects.of("cashier", run)).hasSize(1);
    assertThat(effects.of("clerk", run)).hasSize(1);
    assertThat(effects.deliveriesOf(run)).isEqualTo(3);
  }

  @Test
  void aMessageOnASharedSubscriptionIsHandledOnceByEachConsumerOfTheTopic() {
    long skippedByBilling = skipped("billing");
    long skippedByMailing = skipped("mailing");
    List<String> texts = texts(50);
    texts.forEach(text -> publish(UUID.nameUUIDFromBytes(text.getBytes()), text, 2));

    for (String consumer : List.of("billing", "mailing")) {
      eventually(
          () ->
              assertThat(effects.of(consumer, run + "%"))
                  .containsExactlyInAnyOrderElementsOf(texts));
    }
    // one delivery of each copy: its two beans share the subscription
    eventually(() -> assertThat(skipped("billing")).isEqualTo(skippedByBilling + 50));
    eventually(() -> assertThat(skipped("mailing")).isEqualTo(skippedByMailing + 50));
  }

  @Test
  void aSubscribersFailureIsRetriedAndRedrivenForItAlone() {
    UUID id = UUID.randomUUID();
    long skipped = skipped("mailing");
    effects.refuse("billing", run);

    publish(id, run, 1);

    KeptMessage message = parked("billing", id);
    assertThat(effects.triesOf("billing", run)).isEqualTo(ATTEMPTS);
    assertThat(message.attempts()).isEqualTo(ATTEMPTS);
    assertThat(message.reason()).isEqualTo("TOO_MANY_FAILURES");
    eventually(() -> assertThat(effects.of("mailing", run)).hasSize(1));

    effects.take("billing", run);
    redrive(message);
    eventually(() -> assertThat(effects.of("billing", run)).hasSize(1));
    assertThat(effects.triesOf("mailing", run)).isOne();
    assertThat(skipped("mailing")).as("copies that mailing got").isEqualTo(skipped);
  }

  @Test
  void aRedriveIsKnownByTheIdThatTheBrokerGaveTheMessageAtFirst() {
    effects.refuse("header", run);
    Broker.send(prefix + "header", UUID.randomUUID(), run, 1);
    KeptMessage first = parked(KeptFilter.all().consumer("header"));
    assertThat(effects.triesOf("header", run)).isEqualTo(ATTEMPTS);

    redrive(first); // in vain, and parked under the same id
    eventually(() -> assertThat(effects.triesOf("header", run)).isEqualTo(2 * ATTEMPTS));
    KeptMessage again = parked(KeptFilter.all().consumer("header"));
    assertThat(again.id()).as("its row").isEqualTo(first.id());
    assertThat(again.messageId()).isEqualTo(first.messageId());

    effects.take("header", run);
    redrive(again);
    eventually(() -> assertThat(effects.of("header", run)).hasSize(1));
  }

  @Test
  void aRedriveIsSkippedIfACopyWithTheSameResolvedIdWasHandledMeanwhile() {
    long skipped = skipped("resolved");
    effects.refuse("resolved", run);
    Broker.send(prefix + "resolved", UUID.randomUUID(), run, 1);
    KeptMessage message = parked(KeptFilter.all().consumer("resolved"));
    assertThat(message.messageId()).contains(run);

    effects.take("resolved", run);
    Broker.send(prefix + "resolved", UUID.randomUUID(), run, 1);
    eventually(() -> assertThat(effects.of("resolved", run)).hasSize(1));
    redrive(message);
    eventually(() -> assertThat(skipped("resolved")).isEqualTo(skipped + 1));
    assertThat(effects.of("resolved", run)).hasSize(1);
  }

  private List<String> texts(int number) {
    return IntStream.range(0, number).mapToObj(n -> run + " " + n).toList();
  }

  private void publish(UUID id, String text, int copies) {
    Broker.send(prefix + "topic", id, text, copies);
  }

  private KeptMessage parked(String consumer, UUID id) {
    return parked(KeptFilter.all().consumer(consumer).messageId(id.toString()));
  }

  private KeptMessage parked(KeptFilter filter) {
    eventually(() -> assertThat(parked.find(filter, Page.first(2))).hasSize(1));
    return parked.find(filter, Page.first(2)).get(0);
  }

  private void redrive(KeptMessage message) {
    assertThat(parked.redrive(parked.plan(KeptFilter.all().id(message.id())), "mended").messages())
        .isOne();
  }

  private long skipped(String consumer) {
    return statistics.byConsumer().stream()
        .filter(each -> each.consumer().equals(consumer))
        .mapToLong(ConsumerStatistics::skipped)
        .sum();
  }

  private static JMSContext context() {
    return Names.lookup("jms/cf", ConnectionFactory.class)
        .createContext(JMSContext.AUTO_ACKNOWLEDGE);
  }
}
