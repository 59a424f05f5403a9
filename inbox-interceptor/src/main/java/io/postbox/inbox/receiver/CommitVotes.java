package io.postbox.inbox.receiver;

import java.util.concurrent.atomic.AtomicInteger;

/** Shared by the attempts of one transaction: none commits unless all succeed. Thread-safe. */
public final class CommitVotes {
  private final AtomicInteger open = new AtomicInteger();

  void enlist() {
    open.incrementAndGet();
  }

  void voteCommit() {
    open.decrementAndGet();
  }

  /** Whether an attempt threw, marked the transaction or is still at work. */
  boolean isAnyMissing() {
    return open.get() > 0;
  }
}
