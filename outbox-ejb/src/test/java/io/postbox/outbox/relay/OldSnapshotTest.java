package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.HotTables.Node;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A transaction with an old snapshot keeps the index entries of all deleted rows. A read from the
 * start of the lane passes over them, the next ones do not, though no batch is full.
 */
class OldSnapshotTest {
  private static final int DEAD = 1_000;

  /** Pages: the dead rows of a lane lie on half as many. */
  private static final int MANY = DEAD / 3;

  private static final int FEW = DEAD / 10;

  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration LATER = Duration.ofSeconds(4);

  private HotTables tables;
  private Node node;
  private Connection snapshot;

  @BeforeEach
  void veryManyDeadRows() throws SQLException {
    tables = new HotTables();
    node = tables.node();
    snapshot = tables.fillWithDeadRows(DEAD * HotTables.PARTITIONS, "d");
  }

  @AfterEach
  void endTheSnapshot() throws SQLException {
    snapshot.close();
  }

  /** Pages of the pass that sends one new message. */
  private long pagesOfAMessage(Duration wait) throws Exception {
    int sent = node.broker.receivedSeqs().size();
    tables.fill(1, "d", "PENDING");
    long pages = HotTables.pages(node.pass(0, "d", wait));
    assertThat(node.broker.receivedSeqs()).hasSize(sent + 1);
    return pages;
  }

  @Test
  void aFewMessagesAtATimeAreNotReadFromTheStartOfALaneAgainAndAgain() throws Exception {
    node.startTakes = Duration.ofMillis(200);
    assertThat(pagesOfAMessage(SOON)).isGreaterThan(MANY);
    assertThat(pagesOfAMessage(SOON)).as("none was before the first").isGreaterThan(MANY);
    for (int i = 0; i < 10; i++) {
      assertThat(pagesOfAMessage(SOON)).as("pages of pass %s", i).isLessThan(FEW);
    }
    assertThat(pagesOfAMessage(LATER)).as("a retry may be there").isGreaterThan(MANY);
    assertThat(pagesOfAMessage(SOON)).isLessThan(FEW);
  }

  @Test
  void aMessageThatBecomesDueBelowIsSentAfterThatTime() throws Exception {
    node.startTakes = Duration.ofMillis(200);
    tables.fill(1, "d", "DELAYED");
    pagesOfAMessage(SOON);
    pagesOfAMessage(SOON);
    pagesOfAMessage(SOON);
    tables.rows.execute("UPDATE outbox_message SET status = 'PENDING'");

    node.pass(0, "d", SOON);
    assertThat(node.broker.receivedSeqs()).hasSize(3);
    assertThat(node.lanes()).containsExactly(new Lane(0, "d"));
    node.pass(0, "d", LATER);
    assertThat(node.broker.receivedSeqs()).hasSize(4);
  }

  @Test
  void whereTheStartIsQuicklyReadAMessageBelowIsSentAtOnce() throws Exception {
    tables.fill(1, "d", "DELAYED");
    pagesOfAMessage(SOON);
    pagesOfAMessage(SOON);
    tables.rows.execute("UPDATE outbox_message SET status = 'PENDING'");

    node.pass(0, "d", SOON);
    assertThat(node.broker.receivedSeqs()).hasSize(3);
  }
}
