package io.postbox.it.handling;

import jakarta.ejb.ApplicationException;

/** After which the container would commit. */
@ApplicationException(rollback = false)
public class GoOnException extends RuntimeException {
  GoOnException() {
    super("the container would commit after this");
  }
}
