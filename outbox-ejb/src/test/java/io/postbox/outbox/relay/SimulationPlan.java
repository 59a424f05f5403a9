package io.postbox.outbox.relay;

import io.postbox.common.config.Backoff;
import io.postbox.common.config.Confidentiality;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.testing.TestConfig;
import java.time.Duration;
import java.util.List;

/**
 * The parameters of a run, drawn from its seed.
 *
 * @param calm nothing goes wrong in it
 * @param slice how many followers of a key go back to work at once
 */
record SimulationPlan(
    boolean calm,
    int nodes,
    int clients,
    List<String> destinations,
    int keys,
    Duration betweenTransactions,
    double keyed,
    double poison,
    OutboxConfig config,
    int slice) {

  static SimulationPlan draw(SimulationScheduler scheduler) {
    boolean calm = scheduler.chance(0.15);
    return new SimulationPlan(
        calm,
        1 + scheduler.random.nextInt(3),
        2 + scheduler.random.nextInt(5),
        List.of("a", "b", "c").subList(0, 1 + scheduler.random.nextInt(3)),
        1 + scheduler.random.nextInt(6),
        Duration.ofMillis(5 + scheduler.random.nextInt(scheduler.chance(0.5) ? 60 : 600)),
        0.5 + 0.5 * scheduler.random.nextDouble(),
        calm ? 0 : 0.06 * scheduler.random.nextDouble(),
        config(
            TestConfig.DEFAULT
                .withPartitions(1 + scheduler.random.nextInt(4))
                .withFailures(
                    1 + scheduler.random.nextInt(4),
                    scheduler.chance(0.5) ? OnDeadLetter.HOLD : OnDeadLetter.CONTINUE)
                .withRelay(1 + scheduler.random.nextInt(3), 1 + scheduler.random.nextInt(6))
                .config()),
        scheduler.chance(0.5) ? 1 + scheduler.random.nextInt(3) : 1_000);
  }

  /** The same, with waits that are over soon. */
  private static OutboxConfig config(OutboxConfig base) {
    return new OutboxConfig(
        base.service(),
        base.dataSource(),
        base.tables(),
        base.createTables(),
        base.connectionFactory(),
        base.partitions(),
        base.maxPayload(),
        base.maxAttempts(),
        new Backoff(Duration.ofMillis(500), Duration.ofSeconds(2)),
        base.onDeadLetter(),
        base.afterSending(),
        base.delivery(),
        base.duplicateDetection(),
        base.retention(),
        base.backlog(),
        base.relay(),
        base.destinations(),
        base.recoveries(),
        Confidentiality.DEFAULT,
        base.metrics(),
        base.unknownKeys());
  }
}
