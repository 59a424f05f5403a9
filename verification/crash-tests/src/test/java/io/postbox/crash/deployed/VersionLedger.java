package io.postbox.crash.deployed;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxHandler;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Writes down which version of an aggregate is handled, and after which one: the highest whose
 * effect the handler's transaction sees.
 */
@ApplicationScoped
public class VersionLedger {
  /**
   * One line of {@code sample.sql}. Nothing in it forbids two rows for one version. It has no
   * index: to create one at a start waits for all who write, also for transactions in doubt.
   */
  static final String TABLE =
      "CREATE TABLE IF NOT EXISTS handled_version (aggregate VARCHAR(40) NOT NULL,"
          + " version BIGINT NOT NULL, after_version BIGINT NOT NULL)";

  private static final String WRITE =
      """
      INSERT INTO handled_version (aggregate, version, after_version)
      SELECT ?, ?, COALESCE(MAX(version), 0)
      FROM handled_version
      WHERE aggregate = ?
      """;

  @Resource(lookup = "java:comp/DefaultDataSource")
  DataSource source;

  /** Handles one version that was captured. */
  @InboxHandler("versions-captured")
  public void write(CapturedMessage message) {
    write(
        String.valueOf(message.properties().get("OutboxAggregateId")),
        ((Number) message.properties().get("OutboxAggregateVersion")).longValue());
  }

  /** Handles one version, in the caller's transaction. */
  public void write(String aggregate, long version) {
    try (Connection connection = source.getConnection();
        PreparedStatement insert = connection.prepareStatement(WRITE)) {
      insert.setString(1, aggregate);
      insert.setLong(2, version);
      insert.setString(3, aggregate);
      insert.executeUpdate();
    } catch (SQLException failed) {
      throw new IllegalStateException(
          "Version %s of %s cannot be written".formatted(version, aggregate), failed);
    }
  }
}
