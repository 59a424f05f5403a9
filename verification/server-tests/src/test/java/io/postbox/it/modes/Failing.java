package io.postbox.it.modes;

import io.postbox.it.tools.Database;
import io.postbox.it.tools.Eventually;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.Duration;
import java.util.UUID;
import org.eclipse.microprofile.config.ConfigProvider;

/** Has an effect in the transaction there is, and then fails as often as the message says. */
@Stateless
public class Failing {
  @Resource SessionContext context;
  @Resource TransactionSynchronizationRegistry registry;

  public enum Failure {
    NONE,
    ROLLBACK_ONLY,
    RUNTIME_EXCEPTION,
    ERROR,
    NOT_ROLLING_BACK,
    AT_COMMIT,
    TIME_OUT
  }

  /** Handles a message. */
  public void handle(Message message) throws JMSException {
    String tag = message.getStringProperty("Tag");
    Database database =
        Database.at(ConfigProvider.getConfig().getValue("postbox.inbox.data-source", String.class));
    database.run("INSERT INTO modes_effect (tag) VALUES (?)", tag);
    boolean inTransaction = registry.getTransactionStatus() == Status.STATUS_ACTIVE;
    int delivery =
        Notes.add(
            tag,
            "inTransaction=%s\nredelivered=%s\n"
                .formatted(inTransaction, message.getJMSRedelivered()));
    if (delivery <= message.getIntProperty("Failures")) {
      fail(Failure.valueOf(message.getStringProperty("How")), database);
    }
  }

  private void fail(Failure how, Database database) {
    switch (how) {
      case ROLLBACK_ONLY -> context.setRollbackOnly();
      case RUNTIME_EXCEPTION -> throw new IllegalStateException("the handler fails");
      case ERROR -> throw new AssertionError("the handler fails badly");
      case NOT_ROLLING_BACK -> throw new GoOnException();
      case AT_COMMIT ->
          database.run(
              "INSERT INTO modes_child (id, parent) VALUES (?, 'nobody')",
              UUID.randomUUID().toString());
      case TIME_OUT ->
          Eventually.patience(Duration.ofSeconds(30))
              .until(() -> registry.getTransactionStatus() != Status.STATUS_ACTIVE);
      case NONE -> {}
    }
  }
}
