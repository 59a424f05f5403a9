package io.postbox.outbox.ops;

import io.postbox.outbox.ops.LetterWalk.Batch;
import io.postbox.outbox.ops.LetterWalk.Step;
import io.postbox.outbox.store.DeadLetterStore;
import io.postbox.outbox.store.DeadLetterStore.Letter;
import io.postbox.outbox.store.DecisionStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** What a redrive does with a batch. Not thread-safe. */
final class Redrive {
  private final DeadLetterStore letters;
  private final DecisionStore decisions;
  private final Pace pace;
  private long paced;

  Redrive(DeadLetterStore letters, DecisionStore decisions, Pace pace) {
    this.letters = letters;
    this.decisions = decisions;
    this.pace = pace;
  }

  /** One of the two below. */
  interface Work {
    long on(Batch batch) throws SQLException;
  }

  /** As a step, after whose commit the pace goes on. */
  Step of(Work work) {
    return new Step() {
      @Override
      public long on(Batch batch) throws SQLException {
        paced = 0;
        return work.on(batch);
      }

      @Override
      public void committed() {
        pace.advance(paced);
        paced = 0;
      }
    };
  }

  /**
   * Lets letters wait behind the message that holds their key. Where none does, the first of the
   * key begins to; it becomes due at once if there are no others that would have to wait first.
   */
  long queueUp(Batch batch) throws SQLException {
    Set<UUID> heads = holdFreeKeys(batch);
    List<Long> behind =
        batch.letters().stream()
            .filter(it -> !it.isFirst() && !heads.contains(it.id()))
            .map(Letter::seq)
            .toList();
    int changed = decisions.hold(batch.connection(), batch.partition(), behind);
    return batch.isAll() ? changed + due(batch, heads) : changed;
  }

  /** Makes those letters due that wait behind no other message. */
  long putToWork(Batch batch) throws SQLException {
    return due(batch, Set.of());
  }

  private Set<UUID> holdFreeKeys(Batch batch) throws SQLException {
    List<Letter> heads = new ArrayList<>();
    for (FreeKeys keys : FreeKeys.of(batch.letters())) {
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
    return heads.stream().map(Letter::id).collect(Collectors.toSet());
  }

  private long due(Batch batch, Set<UUID> heads) throws SQLException {
    List<Long> seqs =
        batch.letters().stream()
            .filter(it -> it.isFirst() || heads.contains(it.id()))
            .map(Letter::seq)
            .toList();
    if (!seqs.isEmpty()) {
      decisions.redrive(
          batch.connection(), batch.partition(), pace.of(seqs, batch.now()), batch.now());
    }
    paced = seqs.size();
    return seqs.size();
  }
}
