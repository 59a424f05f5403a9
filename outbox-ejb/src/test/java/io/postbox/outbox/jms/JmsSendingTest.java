package io.postbox.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.postbox.common.testing.FakeTracing;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.jms.JmsTransport.TransactionParticipant;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure;
import io.postbox.outbox.relay.SendFailure.Fault;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Messages;
import io.postbox.outbox.testing.TestConfig;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The calls to JMS and the transaction, in order; their effects need the real server. */
class JmsSendingTest {
  private static final OutboxConfig CONFIG = TestConfig.DEFAULT.config();
  private static final Lane LANE = new Lane(0, "d");

  /** Other calls to a message. */
  private static final Set<String> OF_NO_MATTER_HERE =
      Set.of("close", "setStringProperty", "setLongProperty", "setObjectProperty");

  private final List<String> asked = new ArrayList<>();
  private final FakeTracing tracing = new FakeTracing();
  private final List<Optional<Throwable>> ended = tracing.ended;
  private @Nullable Exception commitFails;
  private @Nullable Exception rollbackFails;
  private boolean localTransactions;
  private @Nullable Exception sessionFails;
  private @Nullable Exception connectionFails;
  private @Nullable Exception closeFails;
  private Class<? extends ConnectionFactory> factory = AdapterFactory.class;
  private int status = Status.STATUS_NO_TRANSACTION;
  private final Set<String> unbound = new HashSet<>();
  private int connections;
  private int sessions;
  private final Deque<Runnable> background = new ArrayDeque<>();

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(connections).as("open connections").isZero();
    assertThat(sessions).as("open sessions").isZero();
    assertThat(status).as("the thread's transaction").isEqualTo(Status.STATUS_NO_TRANSACTION);
  }

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
          switch (method) {
            case "begin" -> status = Status.STATUS_ACTIVE;
            case "commit", "rollback" -> status = Status.STATUS_NO_TRANSACTION;
            default -> {}
          }
          fail(method);
          return method.equals("getStatus") ? status : null;
        });
  }

  /** As was set for a method. */
  private void fail(String method) throws Exception {
    Exception failure =
        switch (method) {
          case "commit" -> commitFails;
          case "rollback" -> rollbackFails;
          case "createConnection" -> connectionFails;
          case "createSession" -> sessionFails;
          case "close" -> closeFails;
          default -> null;
        };
    if (failure != null) {
      throw failure;
    }
  }

  private Object lookup(String jndiName) throws NamingException {
    asked.add("lookup(" + jndiName + ")");
    if (unbound.contains(jndiName)) {
      throw new NameNotFoundException(jndiName);
    }
    if (!jndiName.equals(CONFIG.connectionFactory())) {
      return recorded(Queue.class, jndiName, (method, arguments) -> null);
    }
    return recorded(
        factory,
        "factory",
        (connect, none) -> {
          fail(connect);
          connections++;
          return recorded(
              Connection.class,
              "connection",
              (method, arguments) -> {
                connections -= method.equals("close") ? 1 : 0;
                if (method.equals("createSession") && arguments.length > 0) {
                  fail(method);
                }
                return method.equals("createSession") ? session() : null;
              });
        });
  }

  private Session session() {
    sessions++;
    return recorded(
        Session.class,
        "session",
        (method, arguments) -> {
          sessions -= method.equals("close") ? 1 : 0;
          fail(method);
          return switch (method) {
            case "createTextMessage" ->
                recorded(TextMessage.class, (String) arguments[0], (set, values) -> null);
            case "createProducer" ->
                recorded(MessageProducer.class, "producer", (send, values) -> null);
            case "getTransacted" -> localTransactions;
            case "createTemporaryQueue" ->
                recorded(TemporaryQueue.class, "probe", (delete, none) -> null);
            case "createConsumer" -> recorded(MessageConsumer.class, "consumer", probed());
            default -> null;
          };
        });
  }

  /** The message that was committed, and no other. */
  private Answer probed() {
    return (method, arguments) ->
        method.equals("receive")
            ? recorded(TextMessage.class, "committed", (get, none) -> "committed")
            : null;
  }

  /** A transport that has seen that sessions have transactions of their own. */
  private JmsTransport local() throws SendFailure {
    localTransactions = true;
    JmsTransport transport = transport(TransactionParticipant.NONE);
    sendAndProbe(transport);
    asked.clear();
    ended.clear();
    return transport;
  }

  private void sendAndProbe(JmsTransport transport) throws SendFailure {
    transport.send(LANE, List.of(message("first", null, null)), () -> true);
    background.remove().run();
  }

  private Fault faultOf(JmsTransport transport) {
    ended.clear();
    SendFailure failure =
        catchThrowableOfType(
            SendFailure.class,
            () -> transport.send(LANE, List.of(message("a", null, null)), () -> true));
    assertThat(ended).as("attempts that ended otherwise").allMatch(Optional.of(failure)::equals);
    return failure.fault();
  }

  private JmsTransport transport(TransactionParticipant participant) {
    return new JmsTransport(
        CONFIG,
        transaction(),
        this::lookup,
        participant,
        tracing,
        new byte[] {1},
        background::add,
        new SettableClock());
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
    return "send(%s, %s, 2, %s, %s)"
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
  void aBatchIsSentInOneLocalTransactionOnceTheseHaveBeenSeen() throws SendFailure {
    List<StoredMessage> batch = List.of(message("a", null, null), message("b", null, null));
    local().send(LANE, batch, () -> true);

    assertThat(asked("createSession", "begin", "send", "commit", "rollback"))
        .containsExactly(
            "createSession(" + Session.SESSION_TRANSACTED + ")",
            send("jms/d", "a", 0),
            send("jms/d", "b", 0),
            "commit()");
    assertThat(ended).containsExactly(Optional.empty(), Optional.empty());
  }

  /** In a transaction of the server each send would be committed by itself. */
  @Test
  void aFactoryThatIsNoAdaptersIsProbedBeforeItsFirstBatch() throws SendFailure {
    factory = ConnectionFactory.class;
    localTransactions = true;
    transport(TransactionParticipant.NONE)
        .send(LANE, List.of(message("a", null, null)), () -> true);

    assertThat(asked("begin", "createSession")).containsOnly("createSession(0)");
    assertThat(asked("send", "commit", "rollback"))
        .as("those of the probe come first")
        .hasSize(7)
        .endsWith(send("jms/d", "a", 0), "commit()");
    assertThat(background).isEmpty();
  }

  @Test
  void aFactoryThatIsNoAdaptersIsRefusedWithoutTransactionsOfItsOwn() {
    factory = ConnectionFactory.class;
    JmsTransport transport = transport(TransactionParticipant.NONE);

    assertThat(faultOf(transport)).isEqualTo(Fault.DESTINATION);
    assertThat(asked("begin", "send", "commit")).as("nothing was sent").isEmpty();
    assertThatThrownBy(() -> transport.send(LANE, List.of(message("a", null, null)), () -> true))
        .hasMessageContaining(CONFIG.connectionFactory())
        .hasMessageContaining("is no resource adapter's")
        .hasMessageContaining("OBX0017");
  }

  @Test
  void aFactoryThatIsNoAdaptersTakesNoPartInTheCompletion() {
    factory = ConnectionFactory.class;
    localTransactions = true;
    JmsTransport transport = transport((lane, messages) -> asked.add("join()"));

    assertThat(faultOf(transport)).isEqualTo(Fault.DESTINATION);
    assertThat(asked("begin", "join", "send", "commit")).isEmpty();
    assertThatThrownBy(() -> transport.send(LANE, List.of(message("a", null, null)), () -> true))
        .hasMessageContaining("postbox.outbox.delivery=xa");
  }

  /** A broker that freezes in the probe would otherwise cost the batch its time. */
  @Test
  void noBatchWaitsForTheProbeAndNoneIsBegunBeforeTheBrokerHasAnswered() throws SendFailure {
    localTransactions = true;
    JmsTransport transport = transport(TransactionParticipant.NONE);
    commitFails = new RollbackException("the broker is down");
    assertThat(faultOf(transport)).isEqualTo(Fault.UNKNOWN);
    assertThat(background).isEmpty();

    commitFails = null;
    transport.send(LANE, List.of(message("a", null, null)), () -> true);
    transport.send(LANE, List.of(message("b", null, null)), () -> true);
    assertThat(background).hasSize(1);
    assertThat(asked("createSession")).containsOnly("createSession()");
  }

  @Test
  void theLocalTransactionOfAnAbandonedSenderIsRolledBack() throws SendFailure {
    JmsTransport transport = local();
    assertThatThrownBy(() -> transport.send(LANE, List.of(message("a", null, null)), () -> false))
        .isInstanceOf(SendFailure.class)
        .hasMessageContaining("given up");

    assertThat(asked("commit", "rollback")).containsExactly("rollback()");
    assertThat(ended).singleElement().satisfies(end -> assertThat(end).isPresent());
  }

  /** Nothing is known of the outcome then; messages left in the session would go with the next. */
  @Test
  void aLocalCommitThatFailsSaysWhyAndIsRolledBack() throws SendFailure {
    JmsTransport transport = local();
    commitFails = new TransactionRolledBackException("the broker is down");
    assertThatThrownBy(() -> transport.send(LANE, List.of(message("a", null, null)), () -> true))
        .isInstanceOf(SendFailure.class)
        .hasMessageContaining("commit: ")
        .hasMessageContaining("the broker is down")
        .hasCause(commitFails);

    assertThat(asked("commit", "rollback")).containsExactly("commit()", "rollback()");
    assertThat(ended).singleElement().satisfies(end -> assertThat(end).isPresent());
  }

  @Test
  void aLocalCommitThatFailsIsJudgedAsOneOfJta() throws SendFailure {
    JmsTransport transport = local();
    commitFails = new TransactionRolledBackException("somehow");
    assertThat(faultOf(transport)).isEqualTo(Fault.UNKNOWN);
    assertThat(ended).hasSize(1);
    commitFails = new JMSSecurityException("no permission");
    assertThat(faultOf(transport)).isEqualTo(Fault.DESTINATION);
    commitFails =
        new JMSException("[errorType=TRANSACTION_OUTCOME_UNKNOWN message=AMQ219025: somewhere]");
    assertThat(faultOf(transport)).isEqualTo(Fault.DESTINATION);
    commitFails = new MessageFormatException("not so");
    assertThat(faultOf(transport)).isEqualTo(Fault.MESSAGE);
    commitFails = new IllegalStateException("closed");
    assertThat(faultOf(transport)).isEqualTo(Fault.UNKNOWN);
  }

  @Test
  void aLocalRollbackThatFailsIsReportedWithItsReason() throws SendFailure {
    JmsTransport transport = local();
    rollbackFails = new JMSException("no connection");
    assertThatThrownBy(() -> transport.send(LANE, List.of(message("a", null, null)), () -> false))
        .hasMessageContaining("given up")
        .satisfies(failure -> assertThat(failure.getSuppressed()).containsExactly(rollbackFails));
  }

  @Test
  void anErrorInALocalTransactionRollsItBack() throws SendFailure {
    JmsTransport transport = local();
    Error failure = new NoClassDefFoundError("an/adapter/Class");
    assertThatThrownBy(
            () ->
                transport.send(
                    LANE,
                    List.of(message("a", null, null)),
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(asked("commit", "rollback")).containsExactly("rollback()");
  }

  @Test
  void aMessageThatCannotBeBuiltRollsItBack() throws SendFailure {
    JmsTransport transport = local();
    assertThatThrownBy(
            () -> transport.send(LANE, List.of(message("a", "no:name", null)), () -> true))
        .isInstanceOf(SendFailure.class);
    assertThat(asked("commit", "rollback")).containsExactly("rollback()");
  }

  /** It has been committed: a repeat would only be one. */
  @Test
  void aConnectionThatCannotBeClosedAfterItsCommitCostsNothing() throws SendFailure {
    JmsTransport transport = local();
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      for (Exception failure :
          List.of(new JMSException("closed by a peer"), new IllegalStateException("closed"))) {
        closeFails = failure;
        transport.send(LANE, List.of(message("a", null, null)), () -> true);
        assertThat(ended).last().isEqualTo(Optional.empty());
      }
      assertThat(log.lines()).hasSize(2).allMatch(line -> line.startsWith("OBX0018 "));
    }
  }

  /** As after a change of the connection factory. */
  @Test
  void aSessionThatIsNotTransactedAfterAllSendsInJta() throws SendFailure {
    JmsTransport transport = local();
    localTransactions = false;
    transport.send(LANE, List.of(message("a", null, null)), () -> true);

    assertThat(asked("begin", "send", "commit", "rollback"))
        .containsExactly("begin()", send("jms/d", "a", 0), "commit()");
  }

  /** As after another one: without its permission the adapter refuses such sessions. */
  @Test
  void whereSuchSessionsAreRefusedAfterAllTheNextBatchIsSentInJta() throws SendFailure {
    JmsTransport transport = local();
    for (Exception failure :
        List.of(new JMSException("invalid mode"), new IllegalStateException("invalid mode"))) {
      sessionFails = failure;
      assertThat(faultOf(transport)).isEqualTo(Fault.DESTINATION);
      asked.clear();
      sendAndProbe(transport);
      assertThat(asked("begin", "send", "commit"))
          .containsExactly("begin()", send("jms/d", "first", 0), "commit()");

      sessionFails = null;
      assertThat(faultOfConnecting(transport)).isEqualTo(Fault.DESTINATION);
      sendAndProbe(transport);
    }
  }

  private Fault faultOfConnecting(JmsTransport transport) {
    connectionFails = new JMSException("the broker is down");
    try {
      return faultOf(transport);
    } finally {
      connectionFails = null;
    }
  }

  @Test
  void afterAnOutageLocalTransactionsAreProvedAnew() throws SendFailure {
    JmsTransport transport = local();
    assertThat(faultOfConnecting(transport)).isEqualTo(Fault.DESTINATION);
    asked.clear();
    sendAndProbe(transport);
    assertThat(asked("begin", "createTemporaryQueue"))
        .containsExactly("begin()", "createTemporaryQueue()");

    asked.clear();
    transport.send(LANE, List.of(message("a", null, null)), () -> true);
    assertThat(asked("begin", "send", "commit")).containsExactly(send("jms/d", "a", 0), "commit()");
  }

  /** A session of it would take part in the other code's transaction. */
  @Test
  void onAThreadWithATransactionThereIsNoLocalOne() throws SendFailure {
    JmsTransport transport = local();
    status = Status.STATUS_MARKED_ROLLBACK;
    transport.send(LANE, List.of(message("a", null, null)), () -> true);

    assertThat(asked("createSession")).containsExactly("createSession()");
  }

  @Test
  void aParticipantGetsATransactionOfJta() throws SendFailure {
    localTransactions = true;
    JmsTransport transport = transport((lane, messages) -> asked.add("join()"));
    for (int i = 0; i < 2; i++) {
      transport.send(LANE, List.of(message("a", null, null)), () -> true);

      assertThat(asked("createSession", "begin", "join", "send", "commit"))
          .containsExactly(
              "begin()", "join()", "createSession()", send("jms/d", "a", 0), "commit()");
      asked.clear();
    }
    assertThat(background).as("probes").isEmpty();
  }

  @Test
  void aRedirectedMessageGoesToTheTarget() throws SendFailure {
    StoredMessage message = message("a", "d", null);
    StoredMessage redirected =
        new StoredMessage(
            1, message.envelope(), 0, Instant.EPOCH, Duration.ZERO, null, null, "elsewhere");
    transport(TransactionParticipant.NONE).send(LANE, List.of(redirected), () -> true);

    assertThat(asked("send")).containsExactly(send("jms/elsewhere", "a", 0));
    assertThat(asked("setJMSReplyTo")).containsExactly("setJMSReplyTo(jms/d)");
  }

  @Test
  void eachNameIsLookedUpOnceForAllBatches() throws SendFailure {
    List<StoredMessage> batch =
        List.of(message("a", "back", null), message("b", "back", null), message("c", null, null));
    JmsTransport transport = transport(TransactionParticipant.NONE);
    transport.send(LANE, batch, () -> true);
    transport.send(LANE, batch, () -> true);

    assertThat(asked("lookup"))
        .containsExactlyInAnyOrder(
            "lookup(" + CONFIG.connectionFactory() + ")", "lookup(jms/d)", "lookup(jms/back)");
    assertThat(asked("setJMSReplyTo")).hasSize(4).containsOnly("setJMSReplyTo(jms/back)");
  }

  /** Each kind of failure that a new definition could end. */
  @Test
  void afterAFailureThatMayBeTheBrokersEachNameIsLookedUpAgain() throws SendFailure {
    JmsTransport transport = transport(TransactionParticipant.NONE);
    transport.send(LANE, List.of(message("a", null, null)), () -> true);

    assertThat(faultOfConnecting(transport)).isEqualTo(Fault.DESTINATION);
    assertLooksUp(transport, 2);
    commitFails = new RollbackException("somehow");
    assertThat(faultOf(transport)).isEqualTo(Fault.UNKNOWN);
    commitFails = null;
    assertLooksUp(transport, 2);
    commitFails = new IllegalStateException("odd");
    assertThat(faultOf(transport)).isEqualTo(Fault.UNKNOWN);
    commitFails = null;
    assertLooksUp(transport, 2);

    commitFails = new MessageFormatException("not so");
    assertThat(faultOf(transport)).isEqualTo(Fault.MESSAGE);
    commitFails = null;
    assertLooksUp(transport, 0);
  }

  private void assertLooksUp(JmsTransport transport, int times) throws SendFailure {
    asked.clear();
    transport.send(LANE, List.of(message("a", null, null)), () -> true);
    assertThat(asked("lookup")).hasSize(times);
  }

  @Test
  void aDestinationThatIsDefinedLaterIsFound() throws SendFailure {
    JmsTransport transport = transport(TransactionParticipant.NONE);
    unbound.add("jms/d");
    assertThat(faultOf(transport)).isEqualTo(Fault.DESTINATION);
    unbound.clear();
    transport.send(LANE, List.of(message("a", null, null)), () -> true);

    assertThat(asked("send")).containsExactly(send("jms/d", "a", 0));
  }

  /** It may have become a topic's, or have a new address. */
  @Test
  void aDestinationThatIsDefinedAnewIsFoundAfterAFailure() throws SendFailure {
    JmsTransport transport = transport(TransactionParticipant.NONE);
    transport.send(LANE, List.of(message("a", null, null)), () -> true);
    unbound.add("jms/d");
    transport.send(LANE, List.of(message("b", null, null)), () -> true);
    assertThat(faultOfConnecting(transport)).isEqualTo(Fault.DESTINATION);
    assertThat(faultOf(transport)).isEqualTo(Fault.DESTINATION);
    unbound.clear();
    transport.send(LANE, List.of(message("c", null, null)), () -> true);

    assertThat(asked("send"))
        .containsExactly(send("jms/d", "a", 0), send("jms/d", "b", 0), send("jms/d", "c", 0));
  }

  @Test
  void aConnectionFactoryThatIsNoneSaysSo() {
    JmsTransport transport = transport(TransactionParticipant.NONE);
    unbound.add(CONFIG.connectionFactory());
    assertThat(faultOf(transport)).isEqualTo(Fault.DESTINATION);
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
  void anAbandonedSenderDoesNotCommit() {
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
  void aRollbackThatFailsIsReportedWithItsReason() {
    rollbackFails = new SystemException("no log");
    assertThatThrownBy(
            () ->
                transport(TransactionParticipant.NONE)
                    .send(LANE, List.of(message("a", null, null)), () -> false))
        .hasMessageContaining("given up")
        .satisfies(failure -> assertThat(failure.getSuppressed()).containsExactly(rollbackFails));
  }
}
