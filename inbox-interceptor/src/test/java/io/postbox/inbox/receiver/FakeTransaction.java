package io.postbox.inbox.receiver;

import java.util.ArrayList;
import java.util.List;

/** A transaction that a test begins and ends. */
final class FakeTransaction implements DeliveryTransaction {
  private final List<End> waiting = new ArrayList<>();
  private CommitVotes votes = new CommitVotes();
  private List<End> ended = List.of();
  private boolean active;
  private boolean rollbackOnly;

  /** Otherwise it is a bean's, and whoever called the bean hears nothing of a rollback. */
  boolean isTheListeners = true;

  void begin() {
    votes = new CommitVotes();
    active = true;
    rollbackOnly = false;
  }

  /** Ends it as a container does; the answer is whether it committed. */
  boolean commit() {
    boolean committed = active && !rollbackOnly;
    active = false;
    ended = List.copyOf(waiting);
    waiting.clear();
    ended.forEach(told -> told.ended(committed, null));
    return committed;
  }

  /** The one after it did not commit, in which something was to be sent. */
  void sendingFails() {
    ended.forEach(End::notSent);
  }

  @Override
  public boolean isActive() {
    return active && !rollbackOnly;
  }

  @Override
  public boolean isRollbackOnly() {
    return active && rollbackOnly;
  }

  @Override
  public void setRollbackOnly() {
    if (!active) {
      throw new IllegalStateException("no transaction");
    }
    rollbackOnly = true;
  }

  @Override
  public boolean redeliversOnRollback() {
    return isTheListeners;
  }

  @Override
  public CommitVotes votes() {
    return votes;
  }

  @Override
  public void onEnd(End end) {
    waiting.add(end);
  }
}
