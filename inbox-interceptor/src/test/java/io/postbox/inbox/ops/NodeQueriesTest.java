package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.ops.NodeQueries;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.NodeTable;
import io.postbox.common.testing.DataSources;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxNode.RunningConsumer;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.ops.AttemptRecorder.Status;
import io.postbox.inbox.ops.StoredAttempts.Report;
import io.postbox.inbox.store.AttemptStore;
import io.postbox.inbox.store.NodeStore;
import io.postbox.inbox.store.Schema;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class NodeQueriesTest {
  private static final InboxConfig CONFIG = TestConfig.shop(true);
  private static final Status IDLE = new Status(0, false, false);

  @Parameter TestDatabase database;
  private String url;
  private NodeStore store;
  private AttemptStore attempts;
  private NodeQueries<InboxNode> queries;

  @BeforeEach
  void makeTheTables() throws SQLException {
    url = database.freshUrl();
    try (Connection connection = TestDatabase.connect(url)) {
      Dialect dialect = Dialect.of(connection, "inbox");
      new Schema(dialect, CONFIG).prepare(connection);
      store = new NodeStore(dialect, CONFIG.tables());
      attempts = new AttemptStore(dialect, CONFIG.tables());
    }
    queries =
        new NodeQueries<>(
            new OperatorCalls(new LocalTransactions(dataSource()), InboxLog::failure),
            store,
            NodeDetails::fromRow);
  }

  private DataSource dataSource() {
    return DataSources.of(() -> TestDatabase.connect(url));
  }

  /** As the recorder of attempts does it, through {@link StoredAttempts}. */
  private void beat(String node, String details) throws SQLException {
    new LocalTransactions(dataSource())
        .once(
            connection -> {
              new StoredAttempts(
                      attempts,
                      store,
                      () -> new Report("host-1", "0.1.0", Duration.ofHours(2), details),
                      connection)
                  .live(node);
              return true;
            });
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void age(String node, Duration time) throws SQLException {
    execute(
        "UPDATE %s SET alive_at = alive_at - INTERVAL '%s' SECOND WHERE node = '%s'"
            .formatted(CONFIG.tables().qualified("inbox_node"), time.toSeconds(), node));
  }

  @Test
  void aNodeIsSeenAsItLastReported() throws SQLException {
    beat(
        "a",
        NodeDetails.toJson(
            List.of(
                new RunningConsumer("orders", 0, 0, 0), new RunningConsumer("shipping", 2, 3, 1)),
            new Status(1, true, true),
            List.of("no-xa"),
            List.of("pool-size")));

    InboxNode node = queries.list().get(0);

    Instant at = node.aliveAt();
    assertThat(node)
        .isEqualTo(
            new InboxNode(
                "a",
                "host-1",
                "0.1.0",
                node.startedAt(),
                at,
                node.readAt(),
                true,
                List.of(
                    new RunningConsumer("orders", 0, 0, 0),
                    new RunningConsumer("shipping", 2, 3, 1)),
                1,
                true,
                true,
                List.of("no-xa"),
                List.of("pool-size")));
    assertThat(Duration.between(node.startedAt(), at))
        .isBetween(Duration.ofHours(2), Duration.ofHours(2).plusMinutes(1));
    assertThat(Duration.between(at, node.readAt())).isBetween(Duration.ZERO, Duration.ofMinutes(1));
  }

  @Test
  void aNodeThatDiedStaysAndIsNotAliveAfterThreeHeartbeats() throws SQLException {
    String idle = NodeDetails.toJson(List.of(), IDLE, List.of(), List.of());
    beat("a", idle);
    beat("b", idle);
    age("a", Duration.ofSeconds(10));
    assertThat(queries.list()).extracting(InboxNode::alive).containsExactly(true, true);

    age("a", Duration.ofSeconds(5));
    assertThat(queries.list()).extracting(InboxNode::name).containsExactly("b", "a");
    assertThat(queries.list()).extracting(InboxNode::alive).containsExactly(true, false);

    beat("a", idle);
    assertThat(queries.list())
        .as("it was only frozen")
        .extracting(InboxNode::alive)
        .containsExactly(true, true);
  }

  /** All nodes here have one machine. */
  @Test
  void aNodeThatWasReplacedOnItsMachineIsOverAndIsForgottenLater() throws SQLException {
    String idle = NodeDetails.toJson(List.of(), IDLE, List.of(), List.of());
    beat("old", idle);
    age("old", Duration.ofHours(3)); // the others have been up for two
    beat("dead", idle);
    age("dead", Duration.ofHours(1).plusMinutes(1));
    beat("new", idle);

    assertThat(queries.list())
        .as("the one that died while the other ran is not replaced")
        .extracting(InboxNode::name)
        .containsExactly("new", "dead");

    new LocalTransactions(dataSource())
        .once(
            connection -> {
              store.forget(connection, "host-2", Duration.ofHours(1));
              return true;
            });
    assertThat(rows()).isEqualTo(3);
    new LocalTransactions(dataSource())
        .once(
            connection -> {
              store.forget(connection, "host-1", Duration.ofHours(2));
              return true;
            });
    assertThat(rows()).isEqualTo(2);
  }

  private int rows() throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM " + CONFIG.tables().qualified("inbox_node"))) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void aReportIsBoundedWhateverTheNodeKnows() throws SQLException {
    List<String> many =
        IntStream.range(0, 1_000).mapToObj(i -> String.format(Locale.ROOT, "c%03d", i)).toList();
    beat(
        "a",
        NodeDetails.toJson(
            many.stream().map(name -> new RunningConsumer(name, 1, 0, 0)).toList(),
            IDLE,
            many,
            List.of()));

    InboxNode node = queries.list().get(0);
    assertThat(node.consumers())
        .hasSize(100)
        .first()
        .isEqualTo(new RunningConsumer("c000", 1, 0, 0));
    assertThat(node.findings()).hasSize(100);
  }

  @Test
  void aReportOfAnotherVersionIsReadAsFarAsItIsKnown() throws SQLException {
    beat("a", "{\"mood\":[1],\"findings\":[\"x\"]}");

    InboxNode node = queries.list().get(0);
    assertThat(node.findings()).containsExactly("x");
    assertThat(node.consumers()).isEmpty();
    assertThat(node.recordedDeliveries()).isZero();
  }

  @Test
  void aMalformedReportIsRefusedWithTheWayOut() throws SQLException {
    for (String details : List.of("", "{", "[]", "{\"consumers\":[{}]}", "{\"findings\":1}")) {
      beat("a", details);
      assertThatThrownBy(() -> queries.list())
          .as(details)
          .isInstanceOf(InboxException.class)
          .hasMessageContaining("The row of the node 'a' in inbox_node")
          .hasMessageContaining("Delete it");
    }
    execute("DROP TABLE " + CONFIG.tables().qualified("inbox_node"));
    assertThatThrownBy(() -> queries.list())
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith("The nodes cannot be listed: ");
  }

  /** Two containers die one after the other, and each is started anew under another name. */
  @Test
  void eachNodeThatStartsStandsForOneThatHadDied() throws SQLException {
    String idle = NodeDetails.toJson(List.of(), IDLE, List.of(), List.of());
    for (String each :
        List.of("a 180 120", "b 180 60", "c 119 30", "d 59 0", "e 500 20", "f 10 10")) {
      String[] parts = each.split(" ", -1);
      beat(parts[0], idle);
      execute(
          "UPDATE %s SET host = node, started_at = CURRENT_TIMESTAMP - INTERVAL '%s' MINUTE, alive_at = CURRENT_TIMESTAMP - INTERVAL '%s' MINUTE WHERE node = '%s'"
              .formatted(CONFIG.tables().qualified("inbox_node"), parts[1], parts[2], parts[0]));
    }
    assertThat(queries.list())
        .as("c started after a had died, d after b, f after c; nobody after f itself")
        .extracting(InboxNode::name)
        .containsExactly("d", "e", "f");
  }

  @Test
  void itIsAliveForLessThanFifteenSeconds() {
    assertThat(NodeTable.LONGEST_SILENCE).isEqualTo(Duration.ofSeconds(15));
    assertThat(UncleanShutdowns.OVERDUE).isLessThan(NodeTable.LONGEST_SILENCE);
  }
}
