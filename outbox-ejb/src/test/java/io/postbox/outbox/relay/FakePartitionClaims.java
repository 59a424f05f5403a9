package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Writers;
import io.postbox.outbox.store.PollStore.Poll;
import io.postbox.outbox.store.PollStore.Woken;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tables that say what a test wants to hear, and remember what was asked. For one thread. */
final class FakePartitionClaims implements PartitionClaims {
  final List<Integer> claimed = new ArrayList<>();
  final List<String> read = new ArrayList<>();
  final List<Long> readAfter = new ArrayList<>();
  final Set<String> failingReads = new HashSet<>();
  final Deque<Batch> batches = new ArrayDeque<>();
  final List<BatchSettlement> completed = new ArrayList<>();
  List<StoredMessage> messages = List.of();
  List<Lane> lanes = List.of();
  @Nullable Duration nextDue;
  int polls;
  int wakes;
  boolean wakesSome;
  Set<Lane> woken = Set.of();
  Runnable whenWoken = () -> {};
  Runnable whenPolled = () -> {};
  Runnable whenRead = () -> {};
  boolean inOtherHands;
  boolean pollFails;
  boolean firstFails;
  boolean claimFails;
  boolean wakingFails;
  boolean failsWithoutBatches;
  boolean keepingHashesFails;
  boolean completingFails;
  boolean commitFails;
  boolean closeFails;

  private static void failIf(boolean fails) throws SQLException {
    if (fails) {
      throw new SQLException("the database is away");
    }
  }

  @Override
  public Optional<Claim> claim(int partition) throws SQLException {
    claimed.add(partition);
    failIf(claimFails);
    return inOtherHands ? Optional.empty() : Optional.of(new Taken());
  }

  @Override
  public Poll poll() throws SQLException {
    polls++;
    whenPolled.run();
    failIf(pollFails);
    return new Poll(lanes, Optional.ofNullable(nextDue), Set.of());
  }

  @Override
  public Woken wakeDelayed() throws SQLException {
    wakes++;
    whenWoken.run();
    failIf(wakingFails);
    nextDue = null;
    return new Woken(woken, wakesSome ? Optional.of(Duration.ZERO) : Optional.empty());
  }

  @Override
  public OptionalLong first(Lane lane) throws SQLException {
    failIf(firstFails);
    return OptionalLong.of(1);
  }

  @Override
  public String holderQuery(int partition) {
    return "who has " + partition;
  }

  private final class Taken implements Claim {
    @Override
    public long putBack() {
      return 0;
    }

    @Override
    public Batch read(String destination, long after, int limit) throws SQLException {
      read.add(destination);
      readAfter.add(after);
      whenRead.run();
      failIf(failingReads.contains(destination) || failsWithoutBatches && batches.isEmpty());
      return batches.isEmpty() ? allMessages() : batches.remove();
    }

    private Batch allMessages() {
      return new Batch(messages, false, Writers.UNKNOWN);
    }

    @Override
    public void hold(String destination, Collection<Long> seqs) {}

    @Override
    public void keepHashes(Map<Long, byte[]> hashes) throws SQLException {
      failIf(keepingHashesFails);
    }

    @Override
    public void complete(
        String destination, BatchSettlement settlement, Map<RecordedError, String> texts)
        throws SQLException {
      failIf(completingFails);
      completed.add(settlement);
    }

    @Override
    public void commit() throws SQLException {
      failIf(commitFails);
      messages = List.of();
    }

    @Override
    public void close() throws SQLException {
      failIf(closeFails);
    }
  }
}
