package io.postbox.inbox.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.check.Finding;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryRouteRulesTest {
  private static final InboxConfig CONFIG =
      TestConfig.shop(
          Map.of(
              "connection-factory", "jms/cf",
              "consumer.mail.retry-destination", "jms/mail-again",
              "consumer.audit.retry-destination", "jms/audit-again"));

  private static List<Finding> findings(RetryRouteFacts facts) {
    return RetryRouteRules.findings(CONFIG, List.of("mail", "audit", "shipping"), facts);
  }

  @Test
  void aDeadQueueThatIsNotThereIsFoundWhereThereAreConsumers() {
    InboxConfig config =
        TestConfig.shop(
            Map.of("dead-queue", "jms/dead", "consumer.mail.dead-queue", "jms/mail-dead"));
    RetryRouteFacts facts = new RetryRouteFacts(Map.of(), Set.of("jms/dead"), Set.of(), Set.of());

    assertThat(RetryRouteRules.findings(config, List.of("mail", "audit"), facts))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("dead-queue");
              assertThat(found.text()).contains("is jms/dead: there is nothing of that name");
            });
    assertThat(RetryRouteRules.findings(config, List.of("mail"), facts)).isEmpty();
  }

  /** Whatever is wrong with its way back, a message waits at its broker. */
  @Test
  void aConsumerWithoutAWayBackHasItsFailingAndEarlyMessagesWaitAtTheBroker() {
    Set<String> one = Set.of("shipping");
    for (RetryRouteFacts facts :
        List.of(
            new RetryRouteFacts(Map.of(), Set.of(), one, Set.of()),
            new RetryRouteFacts(Map.of(), Set.of(), Set.of(), one))) {
      assertThat(findings(facts))
          .singleElement()
          .satisfies(
              found ->
                  assertThat(found.text())
                      .contains("a message whose handler fails, or that is too early")
                      .contains("cannot be stored until its turn")
                      .contains("it waits at the broker, which redelivers it at once")
                      .contains("postbox.inbox.consumer.shipping."));
    }
  }

  @Test
  void anIntactRouteIsNoFinding() {
    assertThat(findings(new RetryRouteFacts(Map.of(), Set.of(), Set.of(), Set.of()))).isEmpty();
  }

  @Test
  void aConnectionFactoryThatIsNotThereIsFoundWhereThereAreConsumers() {
    RetryRouteFacts facts = unusable("jms/cf");

    assertThat(findings(facts))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("connection-factory");
              assertThat(found.text())
                  .contains("postbox.inbox.connection-factory=jms/cf", "NameNotFoundException")
                  .contains("audit, mail, shipping")
                  .contains("Define a jmsConnectionFactory");
            });
    assertThat(RetryRouteRules.findings(CONFIG, List.of(), facts)).isEmpty();
  }

  @Test
  void aConsumersOwnConnectionFactoryThatIsNotThereIsFoundForItAlone() {
    InboxConfig config = TestConfig.shop(Map.of("consumer.mail.connection-factory", "jms/mail-cf"));

    assertThat(RetryRouteRules.findings(config, List.of("mail", "audit"), unusable("jms/mail-cf")))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("connection-factory");
              assertThat(found.text())
                  .contains(
                      "postbox.inbox.consumer.mail.connection-factory=jms/mail-cf leads to no")
                  .contains("For the consumers mail nothing");
            });
  }

  @Test
  void aListenerAtAnotherProviderThanTheConnectionFactoryIsFound() {
    Set<String> abroad = Set.of("shipping", "audit");

    assertThat(findings(new RetryRouteFacts(Map.of(), Set.of(), Set.of(), abroad)))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("provider");
              assertThat(found.text())
                  .contains("The consumers shipping listen on a queue of another JMS provider")
                  .contains("Set postbox.inbox.consumer.shipping.connection-factory to")
                  .as("it has a retry destination")
                  .doesNotContain("audit");
            });
  }

  private static RetryRouteFacts unusable(String factory) {
    return new RetryRouteFacts(
        Map.of(factory, "NameNotFoundException"), Set.of(), Set.of(), Set.of());
  }

  @Test
  void aRetryDestinationThatIsNotThereIsFoundWithItsConsumer() {
    assertThat(
            findings(new RetryRouteFacts(Map.of(), Set.of("jms/mail-again"), Set.of(), Set.of())))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("retry-destination");
              assertThat(found.text())
                  .contains("postbox.inbox.consumer.mail.retry-destination=jms/mail-again: there")
                  .contains("Define a queue")
                  .doesNotContain("audit");
            });
  }

  @Test
  void aTopicIsFoundUnlessThereIsARetryDestination() {
    assertThat(
            findings(
                new RetryRouteFacts(Map.of(), Set.of(), Set.of("audit", "shipping"), Set.of())))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("topic");
              assertThat(found.text())
                  .contains("The consumers shipping listen on a topic")
                  .contains("set postbox.inbox.consumer.shipping.retry-destination to");
            });
    assertThat(findings(new RetryRouteFacts(Map.of(), Set.of(), Set.of("audit"), Set.of())))
        .isEmpty();
  }

  @Test
  void aConnectionFactoryThatNobodyChoseIsFoundWhereThereAreOthers() {
    InboxConfig config = TestConfig.shop(Map.of("consumer.mail.connection-factory", "jms/mail-cf"));

    assertThat(
            RetryRouteRules.unchosenFactory(
                config, List.of("shipping", "mail", "audit"), Set.of("jms/b", "jms/a")))
        .get()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("connection-factories");
              assertThat(found.text())
                  .contains("The consumers audit, shipping use the connection factory")
                  .contains("java:comp/DefaultJMSConnectionFactory")
                  .contains("others: jms/a, jms/b.")
                  .contains("Set postbox.inbox.connection-factory, or")
                  .contains("postbox.inbox.consumer.audit.connection-factory")
                  .contains("postbox.inbox.consumer.shipping.connection-factory")
                  .doesNotContain("mail");
            });
  }

  @Test
  void aConnectionFactoryThatWasChosenIsNoFinding() {
    Set<String> others = Set.of("jms/a");
    InboxConfig ofMail = TestConfig.shop(Map.of("consumer.mail.connection-factory", "jms/mail-cf"));
    InboxConfig theDefault =
        TestConfig.shop(Map.of("connection-factory", "java:comp/DefaultJMSConnectionFactory"));

    assertThat(RetryRouteRules.unchosenFactory(ofMail, List.of("mail"), others)).isEmpty();
    assertThat(RetryRouteRules.unchosenFactory(theDefault, List.of("mail"), others)).isEmpty();
    assertThat(RetryRouteRules.unchosenFactory(ofMail, List.of("audit"), Set.of())).isEmpty();
    assertThat(RetryRouteRules.unchosenFactory(ofMail, List.of("audit"), others)).isPresent();
  }
}
