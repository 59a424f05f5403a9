package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Delivery;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A delivered message, and how to handle it.
 *
 * @param consumer the consumer's name
 * @param transaction the calling thread's transaction
 * @param reader reads the delivery
 * @param route the way back to the message's source
 * @param handler the application's handler
 * @param captures whether the message is only stored, and handled later
 */
public record Invocation(
    String consumer,
    DeliveryTransaction transaction,
    Callable<Delivery> reader,
    Route route,
    Handler handler,
    boolean captures) {

  /** A message that is handled now. */
  public Invocation(
      String consumer,
      DeliveryTransaction transaction,
      Callable<Delivery> reader,
      Route route,
      Handler handler) {
    this(consumer, transaction, reader, route, handler, false);
  }

  /** A message that is stored, to be handled later. */
  public static Invocation capturing(
      String consumer, DeliveryTransaction transaction, Callable<Delivery> reader, Route route) {
    return new Invocation(
        consumer,
        transaction,
        reader,
        route,
        run -> {
          throw new IllegalStateException("a captured message is not handled at its delivery");
        },
        true);
  }

  /** The application's handler of a message. */
  public interface Handler {

    /**
     * Handles the message in the thread's transaction.
     *
     * @throws Exception any exception of the application; it rolls the transaction back
     */
    @Nullable Object handle(HandlerRun run) throws Exception;
  }
}
