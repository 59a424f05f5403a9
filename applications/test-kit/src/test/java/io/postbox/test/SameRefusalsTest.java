package io.postbox.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.test.database.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The recording outbox refuses with the same text as the real one over H2. */
class SameRefusalsTest {
  private static final OutboxMessage GOOD = OutboxMessage.to("shipping").text("x");
  private static InboxHarness real;

  public static final class Unserialisable {
    public String getValue() {
      throw new IllegalStateException("no value");
    }
  }

  @BeforeAll
  static void start() {
    real = InboxHarness.onH2();
    real.setting("postbox.outbox.destinations", "shipping, billing");
  }

  @AfterAll
  static void stop() {
    real.close();
  }

  private static RecordingOutbox recording() {
    return new RecordingOutbox(Map.of("postbox.outbox.destinations", "shipping, billing"));
  }

  static Stream<Arguments> bad() {
    UUID id = new UUID(1, 2);
    return Stream.of(
        one("no payload", OutboxMessage.to("shipping")),
        one("blank destination", OutboxMessage.to(" ").text("x")),
        one("no name", OutboxMessage.to("jms/shipping").text("x")),
        one("misspelt destination", OutboxMessage.to("shiping").text("x")),
        one("unknown reply-to", GOOD.replyTo("biling")),
        one("blank event", GOOD.event("")),
        one("long event", GOOD.event("e".repeat(201))),
        one("long aggregate type", GOOD.aggregate("t".repeat(101), "1")),
        one("long aggregate id", GOOD.aggregate("t", "i".repeat(201))),
        one("negative version", GOOD.aggregate("t", "1").aggregateVersion(-1)),
        one("long key", GOOD.orderedBy("k".repeat(311))),
        one("control character", GOOD.orderedBy("a\nb")),
        one("long schema version", GOOD.schemaVersion("1".repeat(51))),
        one("long correlation id", GOOD.correlationId("c".repeat(501))),
        one("NUL", GOOD.text("a\0b")),
        one("half a pair", GOOD.text("\uD83D")),
        one("large text", GOOD.text("x".repeat((1 << 20) + 1))),
        one("large octets", GOOD.bytes(new byte[(1 << 20) + 1])),
        one("large JSON", GOOD.json("x".repeat(1 << 20))),
        one("unserialisable", GOOD.json(new Unserialisable())),
        one("property name", GOOD.property("a-b", 1)),
        one("property of JMS", GOOD.property("JMSType", "x")),
        one("property of the outbox", GOOD.property("OutboxMessageId", "x")),
        one("property type", GOOD.property("p", List.of())),
        one("large properties", GOOD.property("p", "x".repeat(1 << 20))),
        one("short life", GOOD.expiresAfter(Duration.ofNanos(1))),
        one("late with a key", GOOD.orderedBy("k").notBefore(Instant.MAX)),
        one("too late", GOOD.unordered().notBefore(Instant.parse("3000-01-01T00:00:00Z"))),
        Arguments.of("second of a list", List.of(GOOD, GOOD.event(" "), GOOD)),
        Arguments.of("same id twice", List.of(GOOD.id(id), GOOD.id(id))));
  }

  private static Arguments one(String name, OutboxMessage message) {
    return Arguments.of(name, List.of(message));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bad")
  void theTextsAreTheSame(String name, List<OutboxMessage> messages) throws Exception {
    OutboxException expected = inTransaction(() -> refusal(real.outbox(), messages));
    OutboxException refused = refusal(recording(), messages);

    assertThat(refused).hasMessage(expected.getMessage()).hasSameClassAs(expected);
  }

  @Test
  void withoutATransactionTheTextsAreTheSame() throws Exception {
    OutboxException expected = refusal(real.outbox(), List.of(GOOD));
    OutboxException marked =
        inTransaction(
            () -> {
              Transactions.manager().setRollbackOnly();
              return refusal(real.outbox(), List.of(GOOD));
            });
    RecordingOutbox outbox = recording().requiringTransaction();
    OutboxException refusedMarked =
        outbox.inTransaction(
            () -> {
              outbox.setRollbackOnly();
              return refusal(outbox, List.of(GOOD));
            });

    assertThat(refusal(outbox, List.of(GOOD))).hasMessage(expected.getMessage());
    assertThat(refusedMarked).hasMessage(marked.getMessage());
  }

  private static OutboxException refusal(Outbox outbox, List<OutboxMessage> messages) {
    OutboxException refused =
        catchThrowableOfType(OutboxException.class, () -> outbox.enqueueAll(messages));
    assertThat(refused).isNotNull();
    return refused;
  }

  private static <T> T inTransaction(Callable<T> task) throws Exception {
    Transactions.manager().begin();
    try {
      return task.call();
    } finally {
      Transactions.manager().rollback();
    }
  }
}
