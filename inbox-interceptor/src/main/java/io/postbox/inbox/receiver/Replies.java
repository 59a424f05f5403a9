package io.postbox.inbox.receiver;

import io.postbox.common.log.Throttle;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.receiver.IdempotencyStore.KeptAnswer;
import java.util.Objects;
import java.util.Optional;

/**
 * Sends handlers' replies to the requested destinations, also for duplicates.
 *
 * @param store stores replies
 * @param listener is notified of refused replies
 * @param refusals limits how often refused replies are logged
 */
record Replies(IdempotencyStore store, InboxListener listener, Throttle refusals) {

  /**
   * Stores and sends a reply. A refused reply does not roll back the handler's work.
   *
   * @return the work to do once the transaction has committed
   */
  Runnable answer(String result, Delivery delivery, String id, Route route) {
    store.keepResult(delivery.consumer(), id, result, delivery.replyTo());
    return route.wantsReply() ? send(result, delivery, id, route) : Completion.NOTHING;
  }

  /**
   * Sends the stored reply for a duplicate, but only to the destination that the first message
   * requested, because other senders may know its id.
   *
   * @return the work to do once the transaction has committed
   */
  Runnable answerAgain(Delivery delivery, String id, Route route) {
    if (!route.wantsReply()) {
      return Completion.NOTHING;
    }
    Optional<KeptAnswer> kept = store.resultOf(delivery.consumer(), id);
    if (kept.isEmpty()) {
      return Completion.NOTHING;
    }
    return Objects.equals(kept.get().replyTo(), delivery.replyTo())
        ? send(kept.get().result(), delivery, id, route)
        : refuse(ReplyRefused.Why.ANOTHER_THAN_RECORDED, delivery, id);
  }

  private Runnable send(String result, Delivery delivery, String id, Route route) {
    if (!route.mayReply()) {
      return refuse(route.whyNoReply(), delivery, id);
    }
    route.reply(result);
    return Completion.NOTHING;
  }

  private Runnable refuse(ReplyRefused.Why why, Delivery delivery, String id) {
    ReplyRefused refused =
        new ReplyRefused(
            delivery.consumer(),
            id,
            Optional.ofNullable(delivery.eventType()),
            Optional.ofNullable(delivery.replyTo()),
            why);
    return () -> {
      refusals.tell(times -> WatchLog.replyRefused(refused, times));
      listener.happened(refused);
    };
  }
}
