package io.postbox.inbox.jms;

import io.postbox.inbox.MessageIdResolver;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Asks the application for a message's id, and judges its answer. */
final class ResolvedIds {
  private ResolvedIds() {}

  static MessageId read(String consumer, MessageIdResolver resolver, Message message)
      throws JMSException {
    try {
      return MessageIds.judge(resolver.resolve(message), false);
    } catch (RuntimeException failed) {
      if (mayPass(failed)) {
        throw failed;
      }
      WatchLog.resolverFailed(consumer, resolver.getClass().getName(), failed);
      return new Unusable(QuarantineReason.MALFORMED_ID);
    }
  }

  /** Whether it looks as if the next try could end better, because something did not answer. */
  private static boolean mayPass(Throwable failed) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable cause = failed; cause != null && seen.add(cause); cause = cause.getCause()) {
      if (cause instanceof JMSException
          || cause instanceof JMSRuntimeException
          || cause instanceof SQLException
          || cause instanceof IOException) {
        return true;
      }
    }
    return false;
  }
}
