package io.postbox.inbox.guard;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the attempts of one transaction share: none commits unless all come through. Thread-safe.
 */
public final class Fate {
  private final AtomicInteger open = new AtomicInteger();

  void begins() {
    open.incrementAndGet();
  }

  void cameThrough() {
    open.decrementAndGet();
  }

  /** Whether an attempt threw, marked the transaction or is still at work. */
  boolean isSealedByOne() {
    return open.get() > 0;
  }
}
