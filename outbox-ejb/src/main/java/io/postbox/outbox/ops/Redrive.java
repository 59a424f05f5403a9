package io.postbox.outbox.ops;

import io.postbox.outbox.store.DeadLetterStore;
import io.postbox.outbox.store.DeadLetterStore.DeadLetterRow;
import io.postbox.outbox.store.DeadLetterStore.Letters;
import io.postbox.outbox.store.OperatorActionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Redrives a batch: letters wait behind the message that holds their key; if no message holds it,
 * the first message of the key does so from now on. That is not always a letter: an earlier
 * redriven message of the key may be pending and must not be overtaken. Not thread-safe.
 */
final class Redrive {
  private final DeadLetterStore letters;
  private final OperatorActionStore decisions;
  private final RedriveRateLimit rateLimit;

  Redrive(DeadLetterStore letters, OperatorActionStore decisions, RedriveRateLimit rateLimit) {
    this.letters = letters;
    this.decisions = decisions;
    this.rateLimit = rateLimit;
  }

  /**
   * Letters of one partition; the transaction holds the partition's row lock.
   *
   * @param connection the transaction's
   * @param partition its number
   * @param some the letters, and those that are to wait again
   * @param now the database's time
   */
  record Batch(Connection connection, int partition, Letters some, Instant now) {
    List<DeadLetterRow> letters() {
      return some.chosen();
    }
  }

  /** Puts the letters of a batch back to work, and returns how many there were. */
  long on(Batch batch) throws SQLException {
    decisions.waitAgain(batch.connection(), batch.partition(), batch.some().left());
    Set<UUID> heads = holdFreeKeys(batch);
    Map<Boolean, List<Long>> byDue =
        batch.letters().stream()
            .collect(
                Collectors.partitioningBy(
                    it -> it.isFirst() || heads.contains(it.id()),
                    Collectors.mapping(DeadLetterRow::seq, Collectors.toList())));
    List<Long> due = byDue.getOrDefault(true, List.of());
    List<Long> behind = byDue.getOrDefault(false, List.of());
    decisions.hold(batch.connection(), batch.partition(), behind);
    if (!due.isEmpty()) {
      decisions.redrive(batch.connection(), batch.partition(), rateLimit.of(due), batch.now());
    }
    rateLimit.advance(due.size());
    return batch.letters().size();
  }

  private Set<UUID> holdFreeKeys(Batch batch) throws SQLException {
    List<DeadLetterRow> heads = new ArrayList<>();
    for (UnheldKeys keys : UnheldKeys.of(batch.letters())) {
      heads.addAll(
          keys.heads(
              letters.waiting(
                  batch.connection(),
                  batch.partition(),
                  keys.destination(),
                  keys.firstByKey().keySet(),
                  keys.last())));
    }
    decisions.holdKeys(batch.connection(), batch.partition(), heads);
    return heads.stream().map(DeadLetterRow::id).collect(Collectors.toSet());
  }
}
