package io.postbox.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.jms.JmsTransport.TransactionParticipant;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure;
import io.postbox.outbox.testing.Messages;
import io.postbox.outbox.testing.TestConfig;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is asked of JMS and the transaction, in order; what becomes of it needs the real server. */
class JmsSendingTest {
  private static final OutboxConfig CONFIG = TestConfig.DEFAULT.config();
  private static final Lane LANE = new Lane(0, "d");

  /** What else a message is asked for. */
  private static final Set<String> OF_NO_MATTER_HERE =
      Set.of("close", "setStringProperty", "setLongProperty", "setObjectProperty");

  private final List<String> asked = new ArrayList<>();
  private final List<Optional<Throwable>> ended = new ArrayList<>();
  private @Nullable Exception commitFails;
  private @Nullable Exception rollbackFails;

  private interface Answer {
    @Nullable Object to(String method, Object[] arguments) throws Exception;
  }

  /** Writes down what it is asked before it answers. */
  private <T> T recorded(Class<T> type, String name, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> {
              if (method.getName().equals("toString")) {
                return name;
              }
              Object[] arguments = given == null ? new Object[0] : given;
              if (!OF_NO_MATTER_HERE.contains(method.getName())) {
                asked.add(
                    method.getName()
                        + Arrays.stream(arguments)
                            .map(String::valueOf)
                            .collect(Collectors.joining(", ", "(", ")")));
              }
              return answer.to(method.getName(), arguments);
            }));
  }

  private UserTransaction transaction() {
    return recorded(
        UserTransaction.class,
        "transaction",
        (method, arguments) -> {
          if (method.equals("commit") && commitFails != null) {
            throw commitFails;
          }
          if (method.equals("rollback") && rollbackFails != null) {
            throw rollbackFails;
          }
          return method.equals("getStatus") ? Status.STATUS_ACTIVE : null;
        });
  }

  private Object lookup(String jndiName) {
    asked.add("lookup(" + jndiName + ")");
    if (!jndiName.equals(CONFIG.connectionFactory())) {
      return recorded(Queue.class, jndiName, (method, arguments) -> null);
    }
    return recorded(
        ConnectionFactory.class,
        "factory",
        (connect, none) ->
            recorded(
                Connection.class,
                "connection",
                (method, arguments) -> method.equals("createSession") ? session() : null));
  }

  private Session session() {
    return recorded(
        Session.class,
        "session",
        (method, arguments) ->
            switch (method) {
              case "createTextMessage" ->
                  recorded(TextMessage.class, (String) arguments[0], (set, values) -> null);
              case "createProducer" ->
                  recorded(MessageProducer.class, "producer", (send, values) -> null);
              default -> null;
            });
  }

  private JmsTransport transport(TransactionParticipant participant) {
    return new JmsTransport(
        CONFIG,
        transaction(),
        this::lookup,
        participant,
        (message, traceState) ->
            new SendTracing.Attempt(
                Optional.empty(),
                Optional.empty(),
                failure -> ended.add(Optional.ofNullable(failure))),
        new byte[] {1});
  }

  private static StoredMessage message(
      String text, @Nullable String replyTo, @Nullable Duration expiresIn) {
    Headers headers = new Headers(null, replyTo, null, null, Map.of());
    Envelope envelope =
        Messages.envelope(Messages.id(1), "d", null, new Body.Text(text), headers.toJson(), null);
    return new StoredMessage(1, envelope, 0, Instant.EPOCH, Duration.ZERO, expiresIn, null);
  }

  private List<String> asked(String... methods) {
    return asked.stream()
        .filter(it -> List.of(methods).contains(it.substring(0, it.indexOf('('))))
        .toList();
  }

  private static String send(String destination, String text, long timeToLive) {
    return "send(%s, %s, 2, %d, %d)"
        .formatted(destination, text, Message.DEFAULT_PRIORITY, timeToLive);
  }

  @Test
  void aBatchIsSentInOneTransactionThatIsCommittedInTheEnd() throws SendFailure {
    List<StoredMessage> batch = List.of(message("a", null, null), message("b", null, null));
    transport((lane, messages) -> asked.add("join(" + lane.destination() + messages.size() + ")"))
        .send(LANE, batch, () -> true);

    assertThat(asked("setTransactionTimeout", "begin", "join", "send", "commit", "rollback"))
        .containsExactly(
            "setTransactionTimeout(" + (CONFIG.relay().sendTimeout().toSeconds() + 10) + ")",
            "begin()",
            "setTransactionTimeout(0)",
            "join(d2)",
            send("jms/d", "a", 0),
            send("jms/d", "b", 0),
            "commit()");
    assertThat(ended).containsExactly(Optional.empty(), Optional.empty());
  }

  @Test
  void whatIsRedirectedGoesThere() throws SendFailure {
    StoredMessage message = message("a", "d", null);
    StoredMessage redirected =
        new StoredMessage(
            1, message.envelope(), 0, Instant.EPOCH, Duration.ZERO, null, null, "elsewhere");
    transport(TransactionParticipant.NONE).send(LANE, List.of(redirected), () -> true);

    assertThat(asked("send")).containsExactly(send("jms/elsewhere", "a", 0));
    assertThat(asked("setJMSReplyTo")).containsExactly("setJMSReplyTo(jms/d)");
  }

  @Test
  void eachNameIsLookedUpOnceForABatch() throws SendFailure {
    List<StoredMessage> batch =
        List.of(message("a", "back", null), message("b", "back", null), message("c", null, null));
    transport(TransactionParticipant.NONE).send(LANE, batch, () -> true);

    assertThat(asked("lookup"))
        .containsExactlyInAnyOrder(
            "lookup(" + CONFIG.connectionFactory() + ")", "lookup(jms/d)", "lookup(jms/back)");
    assertThat(asked("setJMSReplyTo"))
        .containsExactly("setJMSReplyTo(jms/back)", "setJMSReplyTo(jms/back)");
  }

  @Test
  void theBrokerIsToldHowLongAMessageMayStillBeDelivered() throws SendFailure {
    List<StoredMessage> batch =
        List.of(
            message("later", null, Duration.ofMillis(1_500)),
            message("over", null, Duration.ofMillis(-5)));
    transport(TransactionParticipant.NONE).send(LANE, batch, () -> true);

    // Zero would be for ever.
    assertThat(asked("send"))
        .containsExactly(send("jms/d", "later", 1_500), send("jms/d", "over", 1));
  }

  @Test
  void aSenderThatWasGivenUpDoesNotCommit() {
    assertThatThrownBy(
            () ->
                transport(TransactionParticipant.NONE)
                    .send(LANE, List.of(message("a", null, null)), () -> false))
        .isInstanceOf(SendFailure.class)
        .hasMessageContaining("given up");

    assertThat(asked("commit", "rollback")).containsExactly("rollback()");
    assertThat(ended).singleElement().satisfies(end -> assertThat(end).isPresent());
  }

  @Test
  void nothingIsSentIfTheCompanionDoesNotWantIt() {
    SendFailure unwanted = SendFailure.ofDestination("no", null);
    TransactionParticipant participant =
        (lane, messages) -> {
          throw unwanted;
        };
    assertThatThrownBy(
            () -> transport(participant).send(LANE, List.of(message("a", null, null)), () -> true))
        .isSameAs(unwanted);

    assertThat(asked("send", "commit", "rollback")).containsExactly("rollback()");
  }

  @Test
  void anAttemptWhoseCommitFailsEndsSo() {
    commitFails = new RollbackException("the broker is down");
    assertThatThrownBy(
            () ->
                transport(TransactionParticipant.NONE)
                    .send(LANE, List.of(message("a", null, null)), () -> true))
        .isInstanceOf(SendFailure.class)
        .hasMessageContaining("the broker is down");

    assertThat(ended)
        .singleElement()
        .satisfies(
            end -> assertThat(end.orElseThrow().getCause()).isInstanceOf(RollbackException.class));
  }

  @Test
  void aRollbackThatFailsIsToldWithWhatItWasFor() {
    rollbackFails = new SystemException("no log");
    assertThatThrownBy(
            () ->
                transport(TransactionParticipant.NONE)
                    .send(LANE, List.of(message("a", null, null)), () -> false))
        .hasMessageContaining("given up")
        .satisfies(failure -> assertThat(failure.getSuppressed()).containsExactly(rollbackFails));
  }
}
