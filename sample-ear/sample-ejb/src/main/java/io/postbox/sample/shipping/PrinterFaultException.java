package io.postbox.sample.shipping;

import jakarta.ejb.ApplicationException;

/** A label could not be printed; the handler's transaction rolls back. */
@ApplicationException(rollback = true)
public final class PrinterFaultException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PrinterFaultException(String message) {
    super(message);
  }
}
