package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Delivery;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of a handler. Used only on the thread on which it runs. */
public final class HandlerRun {
  private final Delivery delivery;
  private final int attempt;
  private @Nullable String result;

  /**
   * @param delivery the delivery that it handles; its id is known
   * @param attempt the number of the attempt, from 1
   */
  HandlerRun(Delivery delivery, int attempt) {
    this.delivery = delivery;
    this.attempt = attempt;
  }

  /** The delivery that it handles. */
  public Delivery delivery() {
    return delivery;
  }

  /** The consumer whose handler it is. */
  public String consumer() {
    return delivery.consumer();
  }

  /** The message's id. */
  public String messageId() {
    return delivery.knownId().orElseThrow();
  }

  /** The number of the attempt, from 1. */
  public int attempt() {
    return attempt;
  }

  /** Sets the handler's reply; it replaces an earlier one. */
  public void result(String value) {
    result = value;
  }

  /** The handler's reply, if it gave one. */
  Optional<String> result() {
    return Optional.ofNullable(result);
  }
}
