package io.postbox.test.inbox;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.receiver.AttemptLog;
import io.postbox.inbox.receiver.FailureLog;
import io.postbox.inbox.receiver.InboxListener;
import io.postbox.inbox.receiver.RecordedAttempt;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The records that a process makes of its deliveries, until it dies.
 *
 * @param failures the real one
 * @param attempts the real one
 * @param listener is told of outcomes
 * @param dead whether it has died
 */
record Mortal(FailureLog failures, AttemptLog attempts, InboxListener listener, AtomicBoolean dead)
    implements FailureLog, AttemptLog, InboxListener {

  @Override
  public void begins(String consumer, String messageId) {
    failures.begins(consumer, messageId);
  }

  @Override
  public void ends(String consumer, String messageId) {
    failures.ends(consumer, messageId);
  }

  @Override
  public void record(Failure failure) {
    if (!dead.get()) {
      failures.record(failure);
    }
  }

  @Override
  public void await(String consumer, String messageId) {
    failures.await(consumer, messageId);
  }

  @Override
  public boolean mayBeRedelivery(String messageId) {
    return attempts.mayBeRedelivery(messageId);
  }

  @Override
  public RecordedAttempt begin(String consumer, String messageId, boolean isRedelivery) {
    return attempts.begin(consumer, messageId, isRedelivery);
  }

  @Override
  public void ends(RecordedAttempt recorded, boolean handlerEnded) {
    if (!dead.get()) {
      attempts.ends(recorded, handlerEnded);
    }
  }

  @Override
  public void happened(MessageEvent event) {
    if (!dead.get()) {
      listener.happened(event);
    }
  }
}
