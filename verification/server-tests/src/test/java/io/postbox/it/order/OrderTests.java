package io.postbox.it.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Eventually;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same on each database. */
abstract class OrderTests {
  private static final Duration LONGEST = Duration.ofMinutes(4);

  private static final int FEW = 4;

  private final TestApplication application = TestApplication.of(getClass());
  private final String service = application.service();
  private final int aggregates;
  private final int versions;

  OrderTests(int aggregates, int versions) {
    this.aggregates = aggregates;
    this.versions = versions;
  }

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.inbox.connection-factory",
            "jms/cf",
            "postbox.inbox.backoff.first",
            "100ms",
            "postbox.inbox.backoff.max",
            "1s",
            "postbox.inbox.consumer.order.order",
            "version"));
  }

  @BeforeEach
  void makeTable() {
    OrderMdb.database()
        .run(
            """
            CREATE TABLE IF NOT EXISTS order_seen (service VARCHAR(100), aggregate VARCHAR(100),
              place INTEGER, version BIGINT, CONSTRAINT order_seen_pk
              PRIMARY KEY (service, aggregate, place))
            """);
  }

  @Test
  void eachVersionIsHandledOnceAndInOrderHoweverTheyArrive() throws JMSException {
    eachIsHandledOnceAndInOrder(FEW);
  }

  @Test
  @Tag("full")
  void soItIsWithManyAggregates() throws JMSException {
    eachIsHandledOnceAndInOrder(aggregates);
  }

  private void eachIsHandledOnceAndInOrder(int aggregates) throws JMSException {
    String run = UUID.randomUUID().toString().substring(0, 8);
    send(run, aggregates);

    Eventually.patience(LONGEST)
        .untilAsserted(
            () ->
                assertThat(
                        OrderMdb.database()
                            .value(
                                "SELECT COUNT(*) FROM order_seen WHERE service = ? AND aggregate"
                                    + " LIKE ?",
                                service,
                                run + "%"))
                    .isEqualTo(String.valueOf(aggregates * versions)));

    List<String> all = LongStream.rangeClosed(1, versions).mapToObj(String::valueOf).toList();
    for (int i = 0; i < aggregates; i++) {
      assertThat(
              OrderMdb.database()
                  .column(
                      "SELECT version FROM order_seen WHERE service = ? AND aggregate = ?"
                          + " ORDER BY place",
                      service,
                      run + "-" + i))
          .isEqualTo(all);
    }
    Eventually.eventually(() -> assertThat(Broker.depth(application.queue())).isZero());
    String prefix = application.prefix();
    assertThat(OrderMdb.database().count(prefix + "inbox_stored")).isZero();
    assertThat(OrderMdb.database().count(prefix + "inbox_failure WHERE kind = 'FAILED'")).isZero();
  }

  /** Some of them twice, because that is what brokers do. */
  private void send(String run, int aggregates) throws JMSException {
    record Version(int aggregate, long version) {}
    List<Version> all = new ArrayList<>();
    for (int i = 0; i < aggregates; i++) {
      for (long version = 1; version <= versions; version++) {
        all.add(new Version(i, version));
      }
    }
    Random random = new Random(20261121);
    all.addAll(all.subList(0, all.size() / 10));
    Collections.shuffle(all, random);
    try (JMSContext context =
        Names.lookup("jms/cf", ConnectionFactory.class)
            .createContext(JMSContext.SESSION_TRANSACTED)) {
      for (Version next : all) {
        Message message = context.createTextMessage("version " + next.version());
        String aggregate = run + "-" + next.aggregate();
        message.setStringProperty(
            "OutboxMessageId",
            UUID.nameUUIDFromBytes((aggregate + "@" + next.version()).getBytes()).toString());
        message.setStringProperty("OutboxAggregateType", "Order");
        message.setStringProperty("OutboxAggregateId", aggregate);
        message.setLongProperty("OutboxAggregateVersion", next.version());
        context.createProducer().send(Names.lookup(application.queue(), Queue.class), message);
      }
      context.commit();
    }
  }
}
