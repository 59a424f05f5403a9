package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.relay.HotTables.Node;
import io.postbox.outbox.testing.PlanRecorder.Execution;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Other rows in the table cost the relay nothing: it touches about as many pages as on a table of a
 * thousand messages. The indexes of so many rows are as deep as those of ten million;
 * -Dpostbox.rows=10000000 tries them all the same.
 */
class ManyRowsTest {
  private static final int MANY = Integer.getInteger("postbox.rows", 200_000);
  private static final int FEW = 1_000;
  private static final double AT_MOST = 1.2;

  /** A look finds the first message of each lane, and that there is none behind the last lane. */
  private static final int PROBES = 2 * HotTables.PARTITIONS;

  private HotTables tables;
  private Node node;
  private List<Execution> pollBefore;
  private List<Execution> passBefore;

  @BeforeEach
  void aThousandMessages() throws Exception {
    tables = new HotTables();
    node = tables.node();
    tables.fill(FEW, "d", "PENDING");
    tables.analyse();
    pollBefore = node.poll();
    passBefore = node.pass(0, "d");
    assertThat(passBefore).as("claim, read, complete").hasSize(3);
  }

  @Test
  void aPassOverVeryManyWaitingMessagesCostsWhatItCostsOverFew() throws Exception {
    tables.fill(MANY, "d", "PENDING");
    assertNothingHasChanged();
  }

  @Test
  void veryManySentMessagesCostNothing() throws Exception {
    tables.fill(MANY, "d", "SENT");
    assertNothingHasChanged();
  }

  @Test
  void veryManyMessagesToABrokenDestinationAreNotReadPast() throws Exception {
    tables.fill(MANY, "broken", "PENDING");

    assertNothingHasChanged();
  }

  private void assertNothingHasChanged() throws Exception {
    tables.analyse();
    List<Execution> poll = node.poll();
    List<Execution> pass = node.pass(1, "d");

    assertThat(pass.stream().map(Execution::sql).toList())
        .as("statements")
        .isEqualTo(passBefore.stream().map(Execution::sql).toList());
    assertThat((double) HotTables.pages(pass))
        .as("pages of a pass, before %s, now %s", passBefore, pass)
        .isBetween(HotTables.pages(passBefore) / AT_MOST, HotTables.pages(passBefore) * AT_MOST);
    assertThat(poll).hasSize(1);
    assertThat(HotTables.pages(poll))
        .as("pages of a look, the index being deeper by two; before %s, now %s", pollBefore, poll)
        .isBetween(HotTables.pages(pollBefore), HotTables.pages(pollBefore) + 4 * PROBES);
  }
}
