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
 * @param memory records effects
 */
public record OutsideEffects(String service, EffectStore memory) {

  /** The idempotency key by which the called system recognises an effect of a message. */
  public String key(HandlerRun run, String effect) {
    return IdempotencyKey.of(
        service, run.consumer(), run.messageId(), EffectLimits.checkedName(effect));
  }

  /**
   * Makes an outside call, unless it has been made before. Must not run within the handler's
   * transaction.
   *
   * @return the call's result, now or before
   * @throws X any exception of the call; then nothing is recorded
   */
  public <X extends Exception> String once(HandlerRun run, String effect, OutsideCall<X> call)
      throws X {
    String key = key(run, effect);
    Optional<String> before = memory.recall(run.consumer(), run.messageId(), effect);
    return before.isPresent() ? before.get() : remember(run, effect, call.make(key));
  }

  /** Records the result. From here on the call has been made, and each exception has to say so. */
  private String remember(HandlerRun run, String effect, String returned) {
    String remembered;
    try {
      remembered =
          memory.remember(
              run.consumer(),
              run.messageId(),
              effect,
              EffectLimits.checked("the effect's result", returned));
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
