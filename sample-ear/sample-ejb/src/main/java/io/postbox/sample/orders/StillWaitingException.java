package io.postbox.sample.orders;

import jakarta.ejb.ApplicationException;
import java.util.UUID;

/** A message cannot be sent again, because it is still under way; nothing was done. */
@ApplicationException(rollback = true)
public final class StillWaitingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StillWaitingException(long orderId, UUID messageId) {
    super(
        "The message "
            + messageId
            + " of order "
            + orderId
            + " is still under way to shipping; try again when the order has its answer.");
  }

  StillWaitingException(long orderId, UUID messageId, Throwable cause) {
    super(
        "The message "
            + messageId
            + " of order "
            + orderId
            + " is still in the outbox; the relay sends it by itself.",
        cause);
  }
}
