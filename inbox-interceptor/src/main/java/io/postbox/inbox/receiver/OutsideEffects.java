package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxContext.OutsideCall;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import java.util.Optional;

/**
 * Makes outside calls whose results are recorded even if the handler's transaction rolls back.
 * Thread-safe.
 *
 * @param service the owner of the tables
 * @param memory the recorded effects
 */
public record OutsideEffects(String service, EffectStore memory) {

  /** The key under which others can recognise an effect of a message. */
  public String key(HandlerRun run, String effect) {
    return IdempotencyKey.of(
        service, run.consumer(), run.messageId(), EffectLimits.checkedName(effect));
  }

  /**
   * Makes a call, unless it was made; must not be called within the handler's transaction.
   *
   * @return what it returned, now or before
   * @throws X whatever it throws; nothing is remembered then
   */
  public <X extends Exception> String once(HandlerRun run, String effect, OutsideCall<X> call)
      throws X {
    String key = key(run, effect);
    Optional<String> before = memory.recall(run.consumer(), run.messageId(), effect);
    return before.isPresent() ? before.get() : remember(run, effect, call.make(key));
  }

  /** From here on the call was made, and whatever fails has to say so. */
  private String remember(HandlerRun run, String effect, String returned) {
    String remembered;
    try {
      remembered =
          memory.remember(
              run.consumer(),
              run.messageId(),
              effect,
              EffectLimits.checked("what the effect returned", returned));
    } catch (InboxException | IllegalArgumentException forgotten) {
      throw new InboxException(
          "The effect '%s' of message %s for the consumer '%s' was made and its result cannot be recorded: %s. Unless the handler can continue without that, let it roll back: the message is redelivered, and the effect is made once more, with the same idempotency key."
              .formatted(effect, run.messageId(), run.consumer(), forgotten.getMessage()),
          forgotten);
    }
    if (!remembered.equals(returned)) {
      InboxLog.effectMadeTwice(effect, run.consumer(), run.messageId());
    }
    return remembered;
  }
}
