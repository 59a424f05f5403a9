package io.postbox.inbox.receiver;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of a handler. Used only on the thread on which it runs. */
public final class HandlerRun {
  private final String consumer;
  private final String messageId;
  private final int attempt;
  private @Nullable String result;

  /**
   * @param consumer whose handler it is
   * @param messageId the message's id
   * @param attempt the number of the attempt, from 1
   */
  HandlerRun(String consumer, String messageId, int attempt) {
    this.consumer = consumer;
    this.messageId = messageId;
    this.attempt = attempt;
  }

  /** Whose handler it is. */
  public String consumer() {
    return consumer;
  }

  /** The message's id. */
  public String messageId() {
    return messageId;
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
