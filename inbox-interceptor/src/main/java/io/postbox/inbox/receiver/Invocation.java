package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Delivery;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A delivered message, and how to handle it.
 *
 * @param consumer the name of its consumer
 * @param transaction the one that the calling thread is in
 * @param reader reads the delivery
 * @param route the way back to where it came from
 * @param handler what to do with it, if it is to be handled
 */
public record Invocation(
    String consumer,
    DeliveryTransaction transaction,
    Callable<Delivery> reader,
    Route route,
    Handler handler) {

  /** The application's handler of a message. */
  public interface Handler {

    /**
     * Handles it in the transaction that the thread is in.
     *
     * @throws Exception whatever the application throws; it rolls the transaction back
     */
    @Nullable Object handle(HandlerRun run) throws Exception;
  }
}
