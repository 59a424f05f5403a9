package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.ops.SlotMonitor.Slot;
import io.postbox.outbox.store.ReplicationSlotStore;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlotMonitorTest {
  private static final TableNames TABLES = new TableNames("", "");

  private final SettableClock clock = new SettableClock();

  private static SlotMonitor monitor(CountingDataSource counting, SettableClock clock) {
    return new SlotMonitor(
        counting.dataSource(), new ReplicationSlotStore(TABLES, "shop_slot"), clock);
  }

  private void look(SlotMonitor monitor) {
    monitor.lookIfDue();
    clock.advance(Duration.ofSeconds(5));
  }

  @Test
  void aSlotThatIsMissingIsLoggedOnceAndWhenItIsThereAgain() {
    CountingDataSource counting = new CountingDataSource(TestDatabase.POSTGRESQL.fresh());
    Rows rows = new Rows(counting.dataSource(), TABLES);
    SlotMonitor monitor = monitor(counting, clock);
    assertThat(monitor.last()).isEqualTo(Slot.UNKNOWN);
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      look(monitor);
      look(monitor);
      assertThat(monitor.last()).isEqualTo(new Slot(true, 0));

      rows.execute("SELECT pg_create_logical_replication_slot('shop_slot', 'test_decoding')");
      rows.execute("SELECT pg_logical_emit_message(TRUE, 'test', repeat('x', 10000))");
      look(monitor);
      look(monitor);
      assertThat(monitor.last().isMissing()).isFalse();
      assertThat(monitor.last().lag()).isBetween(10_000L, 10_000_000L);

      rows.execute("SELECT pg_drop_replication_slot('shop_slot')");
      look(monitor);
      assertThat(lines.lines())
          .extracting(line -> line.substring(0, 7))
          .containsExactly("OBX0065", "OBX0066", "OBX0065");
      assertThat(lines.lines().get(0)).contains("'shop_slot'", "every enqueue fails");
    }
  }

  @Test
  void itIsOneStatementInFiveSecondsHoweverOftenItIsAsked() {
    CountingDataSource counting = new CountingDataSource(TestDatabase.POSTGRESQL.fresh());
    SlotMonitor monitor = monitor(counting, clock);
    for (int i = 0; i < 10; i++) {
      monitor.lookIfDue();
    }
    assertThat(counting.statements()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(5));
    monitor.lookIfDue();
    assertThat(counting.statements()).isEqualTo(2);
  }

  /** H2 has no slots: any statement that fails will do. */
  @Test
  void aSlotThatCannotBeReadStaysAsItWasSeenAndIsLoggedOnce() {
    SlotMonitor monitor = monitor(new CountingDataSource(TestDatabase.H2.fresh()), clock);
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      look(monitor);
      look(monitor);

      assertThat(monitor.last()).isEqualTo(Slot.UNKNOWN);
      assertThat(lines.lines()).singleElement().asString().startsWith("OBX0067 ");
    }
  }
}
