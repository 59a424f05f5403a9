package io.postbox.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.testing.LogLines;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions as adapters create them outside of JTA. */
class LocalTransactionProbeTest {
  private static final Duration UNTIL_NEXT_PROBE = Duration.ofMinutes(10);

  private enum Adapter {
    ROLLS_BACK,
    /** Says that it is transacted, and sends each message at once. */
    COMMITS_EACH_SEND,
    /** Says that it is transacted, and sends nothing without JTA. */
    SENDS_NOTHING,
    NOT_TRANSACTED,
    ROLLBACK_FAILS,
    REFUSES_CONNECTIONS,
    REFUSES_SUCH_SESSIONS,
    REFUSES_TEMPORARY_QUEUES,
    LACKS_A_CLASS
  }

  private final SettableClock clock = new SettableClock();
  private final Deque<Runnable> background = new ArrayDeque<>();
  private final LocalTransactionProbe probe = new LocalTransactionProbe(background::add, clock);
  private final Deque<String> queue = new ArrayDeque<>();
  private final List<String> uncommitted = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private Adapter adapter = Adapter.ROLLS_BACK;

  private interface Answer {
    @Nullable Object to(String method, @Nullable Object[] arguments) throws Exception;
  }

  private <T> T fake(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              asked.add(type.getSimpleName() + "." + method.getName());
              return answer.to(method.getName(), arguments);
            }));
  }

  private ConnectionFactory factory() {
    return fake(ConnectionFactory.class, (create, none) -> connection());
  }

  private Connection connection() throws JMSException {
    if (adapter == Adapter.REFUSES_CONNECTIONS) {
      throw new JMSException("no connection");
    }
    return fake(
        Connection.class, (method, arguments) -> method.equals("createSession") ? session() : null);
  }

  private Session session() throws JMSException {
    if (adapter == Adapter.REFUSES_SUCH_SESSIONS) {
      throw new JMSException("Invalid Session Mode SESSION_TRANSACTED");
    }
    return fake(
        Session.class,
        (method, arguments) ->
            switch (method) {
              case "getTransacted" -> adapter != Adapter.NOT_TRANSACTED;
              case "createTemporaryQueue" -> temporaryQueue();
              case "createTextMessage" -> text((String) arguments[0]);
              case "createProducer" -> fake(MessageProducer.class, this::send);
              case "createConsumer" ->
                  fake(MessageConsumer.class, (receive, limit) -> receive(receive));
              case "commit" -> commit();
              case "rollback" -> rollBack();
              default -> null;
            });
  }

  private TemporaryQueue temporaryQueue() throws JMSException {
    if (adapter == Adapter.REFUSES_TEMPORARY_QUEUES) {
      throw new JMSSecurityException("no permission");
    }
    return fake(
        TemporaryQueue.class,
        (delete, none) -> {
          queue.clear();
          return null;
        });
  }

  private TextMessage text(String text) {
    if (adapter == Adapter.LACKS_A_CLASS) {
      throw new NoClassDefFoundError("an/adapter/Class");
    }
    return fake(TextMessage.class, (get, none) -> text);
  }

  private @Nullable Object send(String method, Object[] arguments) throws JMSException {
    if (method.equals("send")) {
      String text = ((TextMessage) arguments[0]).getText();
      if (adapter == Adapter.COMMITS_EACH_SEND) {
        queue.add(text);
      } else if (adapter != Adapter.SENDS_NOTHING) {
        uncommitted.add(text);
      }
    }
    return null;
  }

  private @Nullable Object receive(String method) {
    String next = method.startsWith("receive") ? queue.poll() : null;
    return next == null ? null : text(next);
  }

  private @Nullable Object commit() {
    queue.addAll(uncommitted);
    uncommitted.clear();
    return null;
  }

  private @Nullable Object rollBack() throws JMSException {
    if (adapter == Adapter.ROLLBACK_FAILS) {
      throw new JMSException("cannot roll back");
    }
    uncommitted.clear();
    return null;
  }

  /** Makes the probe if one is due, and runs it at once. */
  private boolean probed() {
    probe.probeIfDue(factory());
    while (!background.isEmpty()) {
      background.remove().run();
    }
    return probe.haveBeenSeen();
  }

  private long times(String method) {
    return asked.stream().filter(method::equals).count();
  }

  @ParameterizedTest
  @CsvSource({
    "ROLLS_BACK, true",
    "COMMITS_EACH_SEND, false",
    "SENDS_NOTHING, false",
    "NOT_TRANSACTED, false",
    "ROLLBACK_FAILS, false",
    "REFUSES_CONNECTIONS, false",
    "REFUSES_SUCH_SESSIONS, false",
    "REFUSES_TEMPORARY_QUEUES, false",
    "LACKS_A_CLASS, false"
  })
  void onlySessionsThatWereSeenToRollBackAndToCommitAreUsed(Adapter kind, boolean expected) {
    adapter = kind;
    assertThat(probe.haveBeenSeen()).as("before a probe").isFalse();
    assertThat(probed()).isEqualTo(expected);
  }

  /** However far it came. */
  @ParameterizedTest
  @EnumSource(Adapter.class)
  void nothingIsLeftBehind(Adapter kind) {
    adapter = kind;
    probed();

    assertThat(queue).isEmpty();
    assertThat(times("Connection.close"))
        .isEqualTo(
            kind == Adapter.REFUSES_CONNECTIONS ? 0 : times("ConnectionFactory.createConnection"));
    assertThat(times("Session.close"))
        .isEqualTo(kind == Adapter.REFUSES_SUCH_SESSIONS ? 0 : times("Connection.createSession"));
    assertThat(times("TemporaryQueue.delete"))
        .isEqualTo(
            kind == Adapter.REFUSES_TEMPORARY_QUEUES ? 0 : times("Session.createTemporaryQueue"));
    assertThat(times("MessageProducer.close")).isEqualTo(times("Session.createProducer"));
    assertThat(times("MessageConsumer.close")).isEqualTo(times("Session.createConsumer"));
  }

  /** Its session is another one's next, who would commit it. */
  @Test
  void aProbeThatBreaksOffIsRolledBackAndItsQueueDeleted() {
    adapter = Adapter.SENDS_NOTHING;
    probed();

    assertThat(asked)
        .containsSubsequence(
            "MessageConsumer.close",
            "Session.rollback",
            "TemporaryQueue.delete",
            "Session.close",
            "Connection.close");
  }

  /** No lock, and no batch that waits: a broker may freeze at any time. */
  @Test
  void nobodyWaitsForAProbeAndThereIsOneAtATime() {
    probe.probeIfDue(factory());
    probe.probeIfDue(factory());
    assertThat(asked).isEmpty();
    assertThat(probe.haveBeenSeen()).isFalse();

    assertThat(background).hasSize(1);
    background.remove().run();
    assertThat(probe.haveBeenSeen()).isTrue();
  }

  @Test
  void itIsMadeOnceAndReportedOnce() {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      assertThat(probed()).isTrue();
      assertThat(probed()).isTrue();

      assertThat(times("ConnectionFactory.createConnection")).isEqualTo(1);
      assertThat(log.lines()).singleElement().asString().contains("OBX0017", "local JMS");
    }
  }

  @Test
  void aProbeThatFailsIsRepeatedLaterAndNotForEachBatch() {
    adapter = Adapter.REFUSES_TEMPORARY_QUEUES;
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      assertThat(probed()).isFalse();
      clock.advance(UNTIL_NEXT_PROBE.minusNanos(1));
      assertThat(probed()).isFalse();
      assertThat(times("Session.createTemporaryQueue")).isEqualTo(1);
      clock.advance(Duration.ofNanos(1));
      assertThat(probed()).isFalse();
      assertThat(times("Session.createTemporaryQueue")).isEqualTo(2);
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("OBX0017", "one JTA transaction", "no permission");

      adapter = Adapter.ROLLS_BACK;
      clock.advance(UNTIL_NEXT_PROBE);
      assertThat(probed()).isTrue();
      assertThat(log.lines()).hasSize(2).last().asString().contains("OBX0017", "one local JMS");
    }
  }

  /** It would only repeat itself. */
  @Test
  void sessionsWithoutTransactionsAreNotProbedAgain() {
    adapter = Adapter.NOT_TRANSACTED;
    probed();
    clock.advance(UNTIL_NEXT_PROBE.multipliedBy(2));
    probed();
    assertThat(times("Connection.createSession")).isEqualTo(1);
  }

  @Test
  void aSessionThatIsNotTransactedAfterAllEndsIt() {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      probed();
      probe.refute();
      assertThat(probed()).isFalse();
      assertThat(log.lines()).hasSize(2).last().asString().contains("OBX0017", "one JTA");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Adapter.class,
      names = {"ROLLS_BACK", "NOT_TRANSACTED", "REFUSES_TEMPORARY_QUEUES"})
  void whereItWasForgottenItIsMadeAgainAtOnceAndSaysNothingThatIsKnown(Adapter kind) {
    adapter = kind;
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      probed();
      probe.forget();
      assertThat(probe.haveBeenSeen()).isFalse();
      assertThat(probed()).isEqualTo(kind == Adapter.ROLLS_BACK);

      assertThat(times("ConnectionFactory.createConnection")).isEqualTo(2);
      assertThat(log.lines()).hasSize(1);
    }
  }

  /** It may have tried the connection factory as it was before. */
  @ParameterizedTest
  @EnumSource(
      value = Adapter.class,
      names = {"ROLLS_BACK", "REFUSES_TEMPORARY_QUEUES"})
  void aProbeThatEndsAfterItWasForgottenCountsForNothing(Adapter kind) {
    probe.probeIfDue(factory());
    probe.forget();
    adapter = kind;
    background.remove().run();
    assertThat(probe.haveBeenSeen()).isFalse();

    adapter = Adapter.ROLLS_BACK;
    assertThat(probed()).isTrue();
  }

  /** The batch before it has been sent, and must not fail for that. */
  @Test
  void aProbeWithoutAThreadIsMadeLater() {
    List<Runnable> refused = new ArrayList<>();
    LocalTransactionProbe threadless =
        new LocalTransactionProbe(
            task -> {
              refused.add(task);
              throw new RejectedExecutionException("stopped");
            },
            clock);
    threadless.probeIfDue(factory());
    threadless.probeIfDue(factory());
    assertThat(refused).hasSize(1);

    clock.advance(UNTIL_NEXT_PROBE);
    threadless.probeIfDue(factory());
    assertThat(refused).hasSize(2);
    assertThat(threadless.haveBeenSeen()).isFalse();
  }
}
