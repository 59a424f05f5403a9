package io.postbox.crash.deployed;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.InboxHandler;
import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.PayloadLoader;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Does jobs, by writing down that they were done, and loads the payloads of their messages: {@code
 * <number>;<lot>}. Both fail for as long as a trouble is on record for their lot or number.
 */
@ApplicationScoped
public class JobLedger implements PayloadLoader {
  /** Two lines of {@code sample.sql}, without an index: see {@link VersionLedger#TABLE}. */
  static final String TABLES =
      "CREATE TABLE IF NOT EXISTS job_run (ran_at BIGINT NOT NULL, job BIGINT NOT NULL,"
          + " consumer VARCHAR(40) NOT NULL, message_id VARCHAR(100) NOT NULL,"
          + " content VARCHAR(200) NOT NULL)\n"
          + "CREATE TABLE IF NOT EXISTS job_trouble (place VARCHAR(20) NOT NULL,"
          + " name VARCHAR(60) NOT NULL, kind VARCHAR(20) NOT NULL)";

  private static final String RUN =
      """
      INSERT INTO job_run (ran_at, job, consumer, message_id, content)
      VALUES (?, ?, ?, ?, ?)
      """;
  private static final String TROUBLE =
      """
      SELECT kind
      FROM job_trouble
      WHERE place = ? AND name IN (?, ?)
      """;

  @Resource(lookup = "java:comp/DefaultDataSource")
  DataSource source;

  @Inject InboxContext inbox;

  @Override
  public Optional<LoadedPayload> load(String table, String text) throws SQLException {
    try (Connection connection = source.getConnection()) {
      if (trouble(connection, "loader", text).isPresent()) {
        throw new IllegalStateException("The text of job %s is not written yet".formatted(text));
      }
    }
    return Optional.of(LoadedPayload.text(text));
  }

  /** Does one job that was captured, and answers. */
  @InboxHandler("jobs-captured")
  public void captured(CapturedMessage message) {
    run("jobs-captured", message.id(), message.text().orElseThrow());
    inbox.result("done");
  }

  /** Does one job, in the caller's transaction. */
  void run(String consumer, String messageId, String text) {
    long now = System.nanoTime(); // of the machine, like the notes of what is sent
    String kind;
    try (Connection connection = source.getConnection()) {
      try (PreparedStatement insert = connection.prepareStatement(RUN)) {
        insert.setLong(1, now);
        insert.setLong(2, Long.parseLong(text.substring(0, text.indexOf(';'))));
        insert.setString(3, consumer);
        insert.setString(4, messageId);
        insert.setString(5, text);
        insert.executeUpdate();
      }
      kind = trouble(connection, "handler", text).orElse("none");
    } catch (SQLException failed) {
      throw new IllegalStateException("Job " + text + " cannot be done", failed);
    }
    switch (kind) {
      case "exception" -> throw new IllegalStateException("Job %s fails".formatted(text));
      case "error" -> throw new AssertionError("Job %s ends in an error".formatted(text));
      case "interrupt" -> {
        Thread.currentThread().interrupt();
        throw new LinkageError("Job %s ends in an error and an interrupt".formatted(text));
      }
      default -> {
        // there is none
      }
    }
  }

  private static Optional<String> trouble(Connection connection, String place, String text)
      throws SQLException {
    String[] parts = text.split("[; ]");
    try (PreparedStatement query = connection.prepareStatement(TROUBLE)) {
      query.setString(1, place);
      query.setString(2, parts[0]);
      query.setString(3, parts[1]);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }
}
