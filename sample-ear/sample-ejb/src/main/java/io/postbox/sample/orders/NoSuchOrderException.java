package io.postbox.sample.orders;

import jakarta.ejb.ApplicationException;

/** There is no order of that number; nothing was done. */
@ApplicationException(rollback = true)
public final class NoSuchOrderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoSuchOrderException(long orderId) {
    super("There is no order " + orderId + ".");
  }
}
