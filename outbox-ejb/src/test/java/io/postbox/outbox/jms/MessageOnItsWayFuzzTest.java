package io.postbox.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.testing.Draws;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.config.OutboxConfig.DuplicateDetection;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import jakarta.jms.JMSException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A message is refused for a reason, or it goes through a real table and comes out as a JMS message
 * that has all of it.
 */
class MessageOnItsWayFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final TableNames TABLES = TestConfig.DEFAULT.tables();
  private static final MessageStore STORE = new MessageStore(Dialect.H2, TABLES);
  private static final ClaimStore RELAY =
      new ClaimStore(Dialect.H2, TABLES, AfterSending.DELETE, Duration.ofMinutes(1), "");
  private static final Enqueuer ENQUEUER =
      new Enqueuer(
          STORE,
          InstantSource.fixed(NOW),
          16,
          new PayloadEncoder(
              DrawnMessage.MAX_PAYLOAD, 1 << 20, String::valueOf, Optional.empty(), true));
  private static final JmsMessages MESSAGES =
      new JmsMessages(
          "shop", DuplicateDetection.NONE, new DuplicateDetectionIds("shop", new byte[] {1}));

  private static Connection database;

  @BeforeAll
  static void makeTables() throws SQLException {
    database = TestDatabase.H2.fresh().getConnection();
    new Schema(Dialect.H2, TestConfig.DEFAULT.config()).prepare(database);
    database.setAutoCommit(false);
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  @FuzzTest
  void aMessageIsRefusedForAReasonOrArrives(byte[] input) throws SQLException, JMSException {
    DrawnMessage drawn = new DrawnMessage(new Draws(input), NOW);
    NewMessage prepared;
    try {
      prepared = ENQUEUER.prepare(drawn.message());
    } catch (MessageRefusedException refused) {
      assertThat(drawn.wrong()).as(refused.getMessage()).isNotEmpty();
      return;
    }
    assertThat(drawn.wrong()).isEmpty();
    assertThat(prepared.partition()).isBetween(0, 15);
    try {
      assertThat(STORE.insert(database, prepared)).isTrue();
      if (prepared.notBefore() == null || !prepared.notBefore().isAfter(NOW)) {
        List<StoredMessage> read = RELAY.read(database, prepared.lane(), 0, 10).messages();
        assertThat(read).hasSize(1);
        arrives(drawn.message(), prepared, read.get(0));
      }
    } finally {
      database.rollback();
    }
  }

  @Test
  void alsoTheSameMessagesEachTime() {
    Draws.check(4_000, this::aMessageIsRefusedForAReasonOrArrives);
  }

  private static void arrives(OutboxMessage message, NewMessage prepared, StoredMessage stored)
      throws JMSException {
    assertThat(stored.envelope().id()).isEqualTo(prepared.envelope().id());
    assertThat(stored.envelope().destination()).isEqualTo(message.destination());
    if (DrawnMessage.isReference(message)) {
      assertThat(stored.envelope().body())
          .usingRecursiveComparison()
          .isEqualTo(prepared.envelope().body());
      return;
    }
    Headers headers = Headers.fromJson(stored.envelope().headers());
    assertThat(headers.replyTo()).isEqualTo(message.replyTo().orElse(null));
    RecordedMessage made = new RecordedMessage();
    MESSAGES.build(
        made.session(),
        stored,
        headers,
        TraceContext.of(stored.envelope().traceParent(), headers.traceState()));

    assertThat(made.body()).isEqualTo(DrawnMessage.bodyOf(message));
    assertThat(made.headers().get("JMSType")).isEqualTo(message.event().orElse(null));
    assertThat(made.headers().get("JMSCorrelationID"))
        .isEqualTo(message.correlationId().orElse(null));
    assertThat(made.properties()).isEqualTo(expected(message, stored));
  }

  private static Map<String, Object> expected(OutboxMessage message, StoredMessage stored) {
    Map<String, Object> expected = new TreeMap<>(message.properties());
    expected.put("OutboxMessageId", stored.envelope().id().toString());
    expected.put("OutboxSource", "shop");
    expected.put("OutboxContentType", DrawnMessage.contentTypeOf(message));
    expected.put("OutboxCreatedAt", stored.createdAt().toString());
    message.event().ifPresent(it -> expected.put("OutboxEventType", it));
    message
        .aggregate()
        .ifPresent(
            it -> {
              expected.put("OutboxAggregateType", it.type());
              expected.put("OutboxAggregateId", it.id());
            });
    message.schemaVersion().ifPresent(it -> expected.put("OutboxSchemaVersion", it));
    message.aggregateVersion().ifPresent(it -> expected.put("OutboxAggregateVersion", it));
    message.orderingKey().ifPresent(it -> expected.put("JMSXGroupID", it));
    message
        .traceParent()
        .filter(it -> it.startsWith("00-"))
        .ifPresent(
            it -> {
              expected.put("traceparent", it);
              message.traceState().ifPresent(state -> expected.put("tracestate", state));
            });
    return expected;
  }
}
