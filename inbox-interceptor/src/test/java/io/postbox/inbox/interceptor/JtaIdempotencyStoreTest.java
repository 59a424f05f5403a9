package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.SchemaException;
import io.postbox.common.testing.DataSources;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.IdempotencyStore.KeptAnswer;
import io.postbox.inbox.startup.InboxDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class JtaIdempotencyStoreTest {
  private static final Fingerprint ONE = new Fingerprint(1, "11".repeat(32));

  private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  private boolean answers = true;
  private boolean commits;
  private int preparations;

  @Test
  void theTablesArePreparedOutsideOfTheTransactionBeforeTheFirstDelivery() {
    InboxDatabase installation = installation(true);
    JtaIdempotencyStore store = store(installation);

    assertThat(insert(store)).isTrue();
    assertThat(preparations).isEqualTo(1);
    insert(store);
    assertThat(preparations).isEqualTo(1);
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsTriedAgainWithTheNextDelivery() {
    answers = false;
    InboxDatabase installation = installation(true);
    JtaIdempotencyStore store = store(installation);

    assertThatThrownBy(() -> insert(store))
        .isInstanceOf(InboxException.class)
        .hasMessage(
            "Message id-1 for the consumer 'shipping' was not handled, because the inbox's database"
                + " failed: the database failed: connection refused. The delivery is"
                + " rolled back, and the message is redelivered.");
    assertThat(installation.problem()).isEqualTo("the database failed: connection refused");

    answers = true;
    assertThat(insert(store)).isTrue();
  }

  @Test
  void tablesThatAreNotOursStayRefusedUntilTheyAre() {
    InboxDatabase installation = installation(false);

    assertThatThrownBy(installation::prepare)
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("postbox_schema cannot be read");
    assertThatThrownBy(() -> insert(store(installation))).isInstanceOf(InboxException.class);

    installation(true).prepare();
    assertThat(insert(store(installation))).isTrue();
  }

  /** Retention deletes ids and replies in transactions of their own. */
  @Test
  void aReplyTakesThePlaceOfThatOfAnEarlierUseOfItsId() {
    commits = true;
    InboxDatabase installation = installation(true);
    installation.encryptWith(Optional::empty);
    JtaIdempotencyStore store = store(installation);
    store.keepResult("shipping", "id-1", "last week's", "queue:OLD");
    store.keepResult("shipping", "id-1", "today's", null);

    assertThat(store.resultOf("shipping", "id-1")).contains(new KeptAnswer("today's", null));
  }

  private static boolean insert(JtaIdempotencyStore store) {
    return store.insertIfAbsent(TestDelivery.of("id-1").delivery(), "id-1", Outcome.PROCESSED);
  }

  private JtaIdempotencyStore store(InboxDatabase installation) {
    return new JtaIdempotencyStore(
        installation,
        () -> {
          preparations++;
          installation.prepare();
        });
  }

  private InboxDatabase installation(boolean create) {
    return new InboxDatabase(TestConfig.shop(create), dataSource(this::connect));
  }

  /** A connection of a transaction, which closing rolls back. */
  private Connection connect() throws SQLException {
    if (!answers) {
      throw new SQLException("connection refused", "08001");
    }
    Connection connection = DriverManager.getConnection(url, "sa", "");
    connection.setAutoCommit(commits);
    return connection;
  }

  private static DataSource dataSource(Callable<Connection> connections) {
    return DataSources.of(() -> connections.call());
  }
}
