package io.postbox.it.modes;

import jakarta.ejb.ApplicationException;

/** After which a container would commit. */
@ApplicationException(rollback = false)
public class GoOnException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GoOnException() {
    super("a container would commit after this");
  }
}
