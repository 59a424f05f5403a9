package io.postbox.it.handling;

import io.postbox.it.handling.Script.Failure;
import io.postbox.it.handling.Script.Line;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Eventually;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.time.Duration;
import org.awaitility.core.ConditionTimeoutException;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The handler: an effect and a follow-up in its transaction; then it fails, if the script says so.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class Handler {
  private static final String IN_H2 =
      """
      SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS
      WHERE SESSION_ID <> SESSION_ID()
      AND EXECUTING_STATEMENT LIKE 'INSERT INTO handling_inbox_message%'
      """;
  private static final String IN_POSTGRESQL =
      "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";

  @Inject Outbox outbox;
  @Inject Script script;
  @Resource SessionContext context;

  @PostConstruct
  void makeTable() {
    database().run("CREATE TABLE IF NOT EXISTS handling_effect (text VARCHAR(100) NOT NULL)");
  }

  /** Handles a text. */
  public void handle(String text) {
    Database database = database();
    Line line = script.begin(text);
    int attempt = script.attempt(text, line.company() > 0 ? company(line, database) : 0);
    database.run("INSERT INTO handling_effect (text) VALUES (?)", text);
    outbox.enqueue(
        OutboxMessage.to(setting("postbox.service") + "-follow-up").event("Handled").text(text));
    if (attempt <= line.failures()) {
      fail(line.how(), database);
    }
  }

  private void fail(Failure how, Database database) {
    switch (how) {
      case RUNTIME_EXCEPTION -> throw new IllegalStateException("the handler fails");
      case NOT_ROLLING_BACK -> throw new GoOnException();
      case ERROR -> throw new AssertionError("the handler fails badly");
      case SET_ROLLBACK_ONLY -> context.setRollbackOnly();
      case FAILING_SQL -> database.run("INSERT INTO handling_effect (text) VALUES (NULL)");
    }
  }

  /** Waits until the database shows that other deliveries wait for this one; not for ever. */
  private static int company(Line line, Database database) {
    String query = setting("postbox.inbox.data-source").equals("jdbc/pg") ? IN_POSTGRESQL : IN_H2;
    // of several, the first one waits for the last one too, and H2 lets it wait for two seconds
    Duration limit = Duration.ofSeconds(line.company() == 1 ? 20 : 1);
    try {
      Eventually.patience(limit)
          .until(() -> Integer.parseInt(database.value(query)) == line.company());
    } catch (ConditionTimeoutException notAll) {
      return Integer.parseInt(database.value(query));
    }
    return line.company();
  }

  private static Database database() {
    return Database.at(setting("postbox.inbox.data-source"));
  }

  private static String setting(String key) {
    return ConfigProvider.getConfig().getValue(key, String.class);
  }
}
