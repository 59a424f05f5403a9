package io.postbox.inbox.guard;

import io.postbox.inbox.InboxContext.OutsideCall;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import java.util.Optional;

/**
 * Makes calls to the outside that are remembered, whatever becomes of the handler. Thread-safe.
 *
 * @param service the owner of the tables
 * @param memory what was made so far
 */
public record OutsideEffects(String service, EffectMemory memory) {

  /** The key under which others can recognise an effect of a message. */
  public String key(Handling handling, String effect) {
    return IdempotencyKey.of(
        service, handling.consumer(), handling.messageId(), EffectTexts.checkedName(effect));
  }

  /**
   * Makes a call, unless it was made; must not be called within the handler's transaction.
   *
   * @return what it returned, now or before
   * @throws X whatever it throws; nothing is remembered then
   */
  public <X extends Exception> String once(Handling handling, String effect, OutsideCall<X> call)
      throws X {
    String key = key(handling, effect);
    Optional<String> before = memory.recall(handling.consumer(), handling.messageId(), effect);
    return before.isPresent() ? before.get() : remember(handling, effect, call.make(key));
  }

  /** From here on the call was made, and whatever fails has to say so. */
  private String remember(Handling handling, String effect, String returned) {
    String remembered;
    try {
      remembered =
          memory.remember(
              handling.consumer(),
              handling.messageId(),
              effect,
              EffectTexts.checked("what the effect returned", returned));
    } catch (InboxException | IllegalArgumentException forgotten) {
      throw new InboxException(
          "The effect '%s' of message %s for the consumer '%s' was made and cannot be remembered: %s. Unless the handler's work can go on without that, let it roll back: the message comes again, and the effect is made once more, with the same idempotency key."
              .formatted(effect, handling.messageId(), handling.consumer(), forgotten.getMessage()),
          forgotten);
    }
    if (!remembered.equals(returned)) {
      InboxLog.effectMadeTwice(effect, handling.consumer(), handling.messageId());
    }
    return remembered;
  }
}
