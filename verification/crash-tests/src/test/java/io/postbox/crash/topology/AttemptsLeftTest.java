package io.postbox.crash.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.testkit.database.Database;
import io.postbox.testkit.database.H2Database;
import io.postbox.testkit.database.Tables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose attempts hinder rest: those of who lives, however lately the others died. */
class AttemptsLeftTest {
  private static final long DEAD = 16167;
  private static final long ALIVE = 16301;

  @TempDir Path root;
  private Database database;

  @BeforeEach
  void oneAttempt() throws Exception {
    Path folder = Files.createDirectories(root.resolve("data/h2"));
    try (Connection connection =
            DriverManager.getConnection("jdbc:h2:file:" + folder.resolve("postbox"), "sa", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE inbox_stored (status VARCHAR(20))");
      statement.execute(
          "CREATE TABLE inbox_attempt (message_id VARCHAR, consumer VARCHAR, node VARCHAR)");
      statement.execute("CREATE TABLE inbox_node (node VARCHAR, alive_at TIMESTAMP)");
      statement.execute(
          "INSERT INTO inbox_attempt VALUES ('8', 'shipping', '%d@vm bd45e1ff')".formatted(DEAD));
      statement.execute(
          "INSERT INTO inbox_node VALUES ('%d@vm bd45e1ff', CURRENT_TIMESTAMP)".formatted(DEAD));
    }
    database = new H2Database(root);
  }

  @Test
  void anAttemptOfAProcessThatWasKilledAMomentAgoIsNotAtWork() {
    assertThat(Tables.isInboxAtRest(database, Set.of(ALIVE))).isTrue();
  }

  @Test
  void anAttemptOfAProcessThatRunsIsAtWork() {
    assertThat(Tables.isInboxAtRest(database, Set.of(DEAD, ALIVE))).isFalse();
  }
}
