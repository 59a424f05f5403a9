package io.postbox.inbox.jms;

import io.postbox.inbox.receiver.DeliveryTransaction.End;
import jakarta.jms.Message;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The received messages that the inbox has resent. It resends a message for several consumers once
 * for all of them: if each sent its own copy, a message that always fails would double with every
 * failure. Thread-safe.
 */
public final class ResentMessages {
  private final Consumer<End> transaction;
  private final Set<Sent> sent = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Message> collected = new ReferenceQueue<>();

  /**
   * @param transaction registers for the end of the calling thread's transaction
   */
  public ResentMessages(Consumer<End> transaction) {
    this.transaction = transaction;
  }

  /**
   * Whether the calling thread is the first to send this message object to a destination, not
   * counting senders whose transaction did not commit.
   *
   * @param place the destination, if it is not that of the original
   */
  boolean isFirst(Message message, Optional<String> place) {
    for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
      sent.remove(gone);
    }
    Sent now = new Sent(message, place, collected);
    if (!sent.add(now)) {
      return false;
    }
    transaction.accept(
        (committed, cause) -> {
          if (!committed) {
            sent.remove(now);
          }
        });
    return true;
  }

  /** Compares by identity, because a provider's {@code equals} may treat two messages as equal. */
  private static final class Sent extends WeakReference<Message> {
    private final Optional<String> place;
    private final int hash;

    Sent(Message message, Optional<String> place, ReferenceQueue<Message> collected) {
      super(message, collected);
      this.place = place;
      hash = System.identityHashCode(message);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || (other instanceof Sent that
              && get() != null
              && get() == that.get()
              && place.equals(that.place));
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
