package io.postbox.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.testing.FakeTracing;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.jms.JmsTransport.TransactionParticipant;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure;
import io.postbox.outbox.testing.DirectExecutor;
import io.postbox.outbox.testing.Messages;
import io.postbox.outbox.testing.TestConfig;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The state that it leaves behind when something breaks down before anything is sent. */
class JmsTransportTest {
  private static final StoredMessage MESSAGE = Messages.message(1, "d", null);

  private final ThreadsTransaction transaction = new ThreadsTransaction();
  private final FakeTracing tracing = new FakeTracing();
  private final List<Optional<Throwable>> ended = tracing.ended;

  /** The transaction of one thread, as the server keeps it. */
  private static final class ThreadsTransaction implements UserTransaction {
    int status = Status.STATUS_NO_TRANSACTION;
    boolean refusesTheServersOwnTimeout;

    @Override
    public void begin() throws NotSupportedException {
      if (status != Status.STATUS_NO_TRANSACTION) {
        throw new NotSupportedException("there is a transaction already");
      }
      status = Status.STATUS_ACTIVE;
    }

    @Override
    public void commit() {
      status = Status.STATUS_NO_TRANSACTION;
    }

    @Override
    public void rollback() {
      status = Status.STATUS_NO_TRANSACTION;
    }

    @Override
    public void setRollbackOnly() {
      status = Status.STATUS_MARKED_ROLLBACK;
    }

    @Override
    public int getStatus() {
      return status;
    }

    @Override
    public void setTransactionTimeout(int seconds) throws SystemException {
      if (seconds == 0 && refusesTheServersOwnTimeout) {
        throw new SystemException("no");
      }
    }
  }

  private JmsTransport transport(Object connectionFactory) {
    return new JmsTransport(
        TestConfig.DEFAULT.config(),
        transaction,
        name -> connectionFactory,
        TransactionParticipant.NONE,
        tracing,
        new byte[] {1},
        new DirectExecutor(),
        new SettableClock());
  }

  private void send(Object connectionFactory) throws SendFailure {
    transport(connectionFactory).send(new Lane(0, "d"), List.of(MESSAGE), () -> true);
  }

  /** Everything down to the session works; making a message is what breaks down. */
  private static ConnectionFactory failingWith(Error failure) {
    Session session =
        fake(
            Session.class,
            method -> {
              if (method.startsWith("create") && !method.equals("createProducer")) {
                throw failure;
              }
              return method.equals("createProducer")
                  ? fake(MessageProducer.class, it -> null)
                  : null;
            });
    Connection connection =
        fake(Connection.class, method -> method.equals("createSession") ? session : null);
    return fake(AdapterFactory.class, method -> connection);
  }

  private interface Answers {
    @Nullable Object to(String method);
  }

  private static <T> T fake(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.to(method.getName())));
  }

  @Test
  void anErrorEndsTheAttemptAndTheTransaction() {
    Error failure = new NoClassDefFoundError("a/driver/Class");
    assertThatThrownBy(() -> send(failingWith(failure))).isSameAs(failure);

    assertThat(ended).containsExactly(Optional.of(failure));
    assertThat(transaction.status).isEqualTo(Status.STATUS_NO_TRANSACTION);
  }

  @Test
  void aTransactionThatIsThereAlreadyIsLeftAlone() {
    transaction.status = Status.STATUS_ACTIVE;
    assertThatThrownBy(() -> send(failingWith(new AssertionError("never asked"))))
        .isInstanceOf(SendFailure.class)
        .hasMessageContaining("there is a transaction already");

    assertThat(transaction.status).isEqualTo(Status.STATUS_ACTIVE);
    assertThat(ended).isEmpty();
  }

  /** Else whoever gets the thread next finds it. */
  @Test
  void aTransactionThatCannotBeMadeReadyIsEnded() {
    transaction.refusesTheServersOwnTimeout = true;
    assertThatThrownBy(() -> send(failingWith(new AssertionError("never asked"))))
        .isInstanceOf(SendFailure.class);

    assertThat(transaction.status).isEqualTo(Status.STATUS_NO_TRANSACTION);
  }
}
