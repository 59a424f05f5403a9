package io.postbox.inbox.receiver;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The commit votes of the attempts that share one transaction: it commits only if all of them
 * succeed. Thread-safe.
 */
public final class CommitVotes {
  private final AtomicInteger open = new AtomicInteger();

  void enlist() {
    open.incrementAndGet();
  }

  void voteCommit() {
    open.decrementAndGet();
  }

  /** Whether an attempt threw, marked the transaction for rollback, or is still running. */
  boolean isAnyMissing() {
    return open.get() > 0;
  }
}
