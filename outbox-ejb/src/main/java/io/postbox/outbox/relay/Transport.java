package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Hands messages to a broker. Thread-safe. */
@FunctionalInterface
public interface Transport {

  /**
   * Sends all messages, in order, in one transaction of its own, or none of them.
   *
   * @param lane of all of them
   * @param messages at least one
   * @param wanted is called once, right before the commit; if it returns false, the transaction is
   *     rolled back
   * @throws SendFailure if they were not sent, or it is not known whether they were
   */
  void send(Lane lane, List<StoredMessage> messages, BooleanSupplier wanted) throws SendFailure;
}
