package io.postbox.outbox.relay;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSending.TransportWithinLimit;
import io.postbox.outbox.relay.Completion.Policy;
import io.postbox.outbox.store.Connections;
import io.postbox.outbox.store.RelayStore;
import io.postbox.outbox.store.RelayStore.HeldKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * One batch of one partition, in one database transaction: claim, read, send, complete. The row
 * lock of the claim is the lease; whatever ends the transaction ends it. A crash after the broker's
 * commit and before ours repeats the batch. Thread-safe.
 */
final class PartitionPass {
  private final DataSource dataSource;
  private final RelayStore store;
  private final TransportWithinLimit transport;
  private final Breakers breakers;
  private final RelayListener listener;
  private final Policy policy;
  private final int batchSize;
  private final DoubleSupplier random;

  /** What a pass found. */
  enum Outcome {
    /** Another transaction holds the partition. */
    BUSY,
    /** All that was due is done; what commits later brings its own wake-up. */
    DRAINED,
    /** There may be more. */
    MORE
  }

  /** An outcome, and how long the message waits that is due first after a failure here. */
  record Result(Outcome outcome, Duration nextAttempt) {
    static final Duration NEVER = Duration.ofDays(1_000);

    static Result of(Outcome outcome) {
      return new Result(outcome, NEVER);
    }
  }

  PartitionPass(
      DataSource dataSource,
      RelayStore store,
      TransportWithinLimit transport,
      Breakers breakers,
      RelayListener listener,
      Policy policy,
      int batchSize,
      DoubleSupplier random) {
    this.dataSource = dataSource;
    this.store = store;
    this.transport = transport;
    this.breakers = breakers;
    this.listener = listener;
    this.policy = policy;
    this.batchSize = batchSize;
    this.random = random;
  }

  /**
   * @throws SQLException if the database failed; what was sent may be sent again
   */
  Result run(int partition) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        return claimed(connection, partition);
      } catch (Throwable failed) { // also an Error: the server may hand this connection out again
        Connections.rollBack(connection, failed);
        throw failed;
      }
    }
  }

  private Result claimed(Connection connection, int partition) throws SQLException {
    if (!store.claim(connection, partition)) {
      connection.rollback();
      return Result.of(Outcome.BUSY);
    }
    List<StoredMessage> due = store.readDue(connection, partition, breakers.blocked(), batchSize);
    Map<Boolean, List<StoredMessage>> byFollower =
        due.stream().collect(Collectors.partitioningBy(StoredMessage::isFollower));
    hold(connection, partition, byFollower.getOrDefault(true, List.of()));
    List<StoredMessage> sendable = byFollower.getOrDefault(false, List.of());
    List<StoredMessage> admitted = breakers.admit(sendable);
    boolean full = due.size() == batchSize;
    if (admitted.isEmpty()) {
      connection.commit();
      boolean held = due.size() > sendable.size(); // else the next pass would find the same
      return Result.of(full && held ? Outcome.MORE : Outcome.DRAINED);
    }
    SendReport report = sent(admitted);
    Completion completion = Completion.of(report, policy, random);
    complete(connection, partition, completion);
    connection.commit();
    tell(report);
    boolean probedWell = admitted.size() < sendable.size() && !report.sent().isEmpty();
    boolean more =
        full || probedWell || !completion.release().isEmpty() || leftSomething(admitted, report);
    return new Result(more ? Outcome.MORE : Outcome.DRAINED, nextAttempt(completion));
  }

  /** Followers of a message that failed: the next pass holds them, or sends them on. */
  private static boolean leftSomething(List<StoredMessage> admitted, SendReport report) {
    Set<StoredMessage> sent = new HashSet<>(report.sent());
    return admitted.stream()
        .anyMatch(
            it ->
                !sent.contains(it)
                    && !report.rejected().containsKey(it)
                    && !report.faulty().containsKey(it.destination()));
  }

  private void hold(Connection connection, int partition, List<StoredMessage> followers)
      throws SQLException {
    if (!followers.isEmpty()) {
      List<Long> seqs = followers.stream().map(StoredMessage::seq).toList();
      expect(seqs.size(), store.hold(connection, partition, seqs), "hold", partition);
    }
  }

  private SendReport sent(List<StoredMessage> admitted) {
    boolean answered = false;
    try {
      SendReport report = breakers.settle(admitted, BatchSending.send(admitted, transport));
      answered = true;
      return report;
    } finally {
      if (!answered) {
        breakers.unprobe(admitted);
      }
    }
  }

  private void complete(Connection connection, int partition, Completion completion)
      throws SQLException {
    if (!completion.sent().isEmpty()) {
      int deleted = store.delete(connection, partition, completion.sent());
      expect(completion.sent().size(), deleted, "delete", partition);
    }
    if (!completion.failures().isEmpty()) {
      int counted = store.fail(connection, partition, completion.failures());
      expect(completion.failures().size(), counted, "count the attempts of", partition);
    }
    for (HeldKey key : completion.hold()) {
      store.holdKey(connection, partition, key);
    }
    for (HeldKey key : completion.release()) {
      store.releaseKey(connection, partition, key);
    }
  }

  private static void expect(int wanted, int found, String verb, int partition) {
    if (wanted != found) {
      throw new IllegalStateException(
          "Broken invariant: wanted to %s %d messages of partition %d while holding its lock, and found %d. Something else changes the table; the transaction is rolled back and the batch comes again."
              .formatted(verb, wanted, partition, found));
    }
  }

  private void tell(SendReport report) {
    report.sent().forEach(it -> listener.relayed(it.destination(), it.waited()));
    report
        .rejected()
        .forEach(
            (message, reason) -> {
              listener.attemptFailed(message.destination());
              int attempts = message.attempts() + 1;
              var id = message.envelope().id();
              if (attempts >= policy.maxAttempts()) {
                OutboxLog.deadLetter(id, message.destination(), attempts, reason);
              } else {
                OutboxLog.attemptFailed(id, message.destination(), attempts, reason);
              }
            });
  }

  private static Duration nextAttempt(Completion completion) {
    return completion.failures().stream()
        .filter(failure -> !failure.dead())
        .map(RelayStore.Failure::backoff)
        .min(Duration::compareTo)
        .orElse(Result.NEVER);
  }
}
