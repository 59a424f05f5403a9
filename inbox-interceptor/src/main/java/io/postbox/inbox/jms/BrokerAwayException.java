package io.postbox.inbox.jms;

import io.postbox.inbox.InboxException;

/** A broker cannot be reached, or does not answer, which affects every other message too. */
public final class BrokerAwayException extends InboxException {
  private static final long serialVersionUID = 1L;

  BrokerAwayException(String message, Exception cause) {
    super(message, cause);
  }
}
