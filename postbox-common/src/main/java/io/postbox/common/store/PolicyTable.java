package io.postbox.common.store;

import io.postbox.common.RetryPolicy;
import io.postbox.common.RuntimePolicy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A module's table of the policies that operators have set. Thread-safe. */
public final class PolicyTable {
  /** How many policies there may be: each node reads all of them every few seconds. */
  public static final int MOST = 1_000;

  /** More than there may be, because calls at the same time do not see each other's rows. */
  private static final int MOST_READ = 2 * MOST;

  private final boolean decidesOnDeadLetters;
  private final String insert;
  private final String delete;
  private final String others;
  private final String list;

  /**
   * @param table its qualified name
   * @param key the column with the name of the policy's destination or consumer
   * @param decidesOnDeadLetters whether there is a column {@code on_dead_letter}
   */
  public PolicyTable(String table, String key, boolean decidesOnDeadLetters) {
    this.decidesOnDeadLetters = decidesOnDeadLetters;
    insert =
        """
        INSERT INTO %s (%s, max_attempts, backoff_first_ms, backoff_max_ms, reason, principal%s)
        VALUES (?, ?, ?, ?, ?, ?%s)
        """
            .formatted(
                table,
                key,
                decidesOnDeadLetters ? ", on_dead_letter" : "",
                decidesOnDeadLetters ? ", ?" : "");
    delete = "DELETE FROM %s WHERE %s = ?".formatted(table, key);
    others = "SELECT COUNT(*) FROM %s WHERE %s <> ?".formatted(table, key);
    list =
        """
        SELECT %2$s, max_attempts, backoff_first_ms, backoff_max_ms, reason, principal, since%3$s
        FROM %1$s ORDER BY %2$s FETCH FIRST %4$s ROWS ONLY
        """
            .formatted(table, key, decidesOnDeadLetters ? ", on_dead_letter" : "", MOST_READ);
  }

  /**
   * The content of a policy.
   *
   * @param retries how often and after which waits
   * @param onDeadLetter the fate of the followers of a dead letter, in the configuration's word and
   *     in capitals; empty if that stays as configured, or the module has no such choice
   */
  public record Policy(RetryPolicy retries, Optional<String> onDeadLetter) {}

  /** Whether there is no room for a policy of this name. */
  public boolean isFull(Connection connection, String name) throws SQLException {
    return Sql.one(connection, others, row -> row.getLong(1), name) >= MOST;
  }

  /** Sets a policy; replaces an earlier one of this name. */
  public void set(
      Connection connection, String name, Policy policy, String principal, String reason)
      throws SQLException {
    reset(connection, name);
    RetryPolicy retries = policy.retries();
    Sql.update(
        connection,
        insert,
        name,
        retries.maxAttempts().orElse(null),
        millis(retries.firstBackoff()),
        millis(retries.maxBackoff()),
        reason,
        principal,
        decidesOnDeadLetters
            ? new Sql.Values(Collections.singletonList(policy.onDeadLetter().orElse(null)))
            : new Sql.Values(List.of()));
  }

  /** Ends the policy of a name; false if there is none. */
  public boolean reset(Connection connection, String name) throws SQLException {
    return Sql.update(connection, delete, name) == 1;
  }

  /** All policies by name, in one statement. */
  public List<RuntimePolicy<Policy>> read(Connection connection) throws SQLException {
    return Sql.list(connection, list, this::row);
  }

  private RuntimePolicy<Policy> row(ResultSet row) throws SQLException {
    return new RuntimePolicy<>(
        row.getString(1),
        new Policy(
            new RetryPolicy(
                Optional.ofNullable(row.getObject(2, Integer.class)),
                wait(row.getObject(3, Long.class)),
                wait(row.getObject(4, Long.class))),
            decidesOnDeadLetters ? Optional.ofNullable(row.getString(8)) : Optional.empty()),
        row.getString(5),
        row.getString(6),
        Sql.instant(row, 7));
  }

  private static @Nullable Long millis(Optional<Duration> wait) {
    return wait.map(Duration::toMillis).orElse(null);
  }

  private static Optional<Duration> wait(@Nullable Long millis) {
    return Optional.ofNullable(millis).map(Duration::ofMillis);
  }
}
