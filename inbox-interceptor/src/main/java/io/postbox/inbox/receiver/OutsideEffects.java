package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxContext.OutsideCall;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.DerivedUuid;
import io.postbox.inbox.receiver.EffectStore.Made;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    return key(service, run.consumer(), run.messageId(), EffectLimits.checkedName(effect));
  }

  static String key(String service, String consumer, String messageId, String effect) {
    return DerivedUuid.of(service, consumer, messageId, effect).toString();
  }

  /**
   * Makes an outside call, unless it has been made before. Must not run within the handler's
   * transaction.
   *
   * @return the call's result, now or before
   * @throws X any exception of the call; then nothing is recorded
   * @throws RejectedMessageException if the call was made, now or before, and its result cannot be
   *     stored: another call would return no other
   */
  public <X extends Exception> String once(HandlerRun run, String effect, OutsideCall<X> call)
      throws X {
    String key = key(run, effect);
    Optional<Made> before = memory.recall(run.consumer(), run.messageId(), effect);
    return before.isPresent()
        ? result(run, effect, before.get(), "it was reported when the call was made")
        : remember(run, effect, call.make(key));
  }

  /** Records the result. From here on the call has been made, and each exception has to say so. */
  private String remember(HandlerRun run, String effect, @Nullable String returned) {
    Optional<String> problem = EffectLimits.problem("the effect's result", returned);
    Made made = new Made(problem.isPresent() ? null : returned);
    Made recorded;
    try {
      recorded = memory.remember(run.consumer(), run.messageId(), effect, made);
    } catch (InboxException forgotten) {
      throw new InboxException(
          "The effect '%s' of message %s for the consumer '%s' was made and its result cannot be recorded: %s. Unless the handler can continue without that, let it roll back: the message is redelivered, and the effect is made once more, with the same idempotency key."
              .formatted(effect, run.messageId(), run.consumer(), forgotten.getMessage()),
          forgotten);
    }
    if (!recorded.equals(made)) {
      InboxLog.effectMadeTwice(effect, run.consumer(), run.messageId());
    }
    return result(
        run, effect, recorded, problem.orElse("that of the delivery which made it at once"));
  }

  private static String result(HandlerRun run, String effect, Made made, String problem) {
    if (made.result() == null) {
      throw new RejectedMessageException(
          "The effect '%s' of message %s for the consumer '%s' was made, and its result cannot be stored: %s. It is not made again, for the result would be no other: the message is parked, unless the handler catches this and continues without the result. Let the call return a text that can be stored."
              .formatted(effect, run.messageId(), run.consumer(), problem));
    }
    return made.result();
  }
}
