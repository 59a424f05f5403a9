package io.postbox.inbox.jms;

import io.postbox.common.log.Causes;
import io.postbox.inbox.MessageIdResolver;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.sql.SQLException;

/** Calls the application's resolver for a message's id, and validates the result. */
final class ResolvedIds {
  private ResolvedIds() {}

  static MessageId read(String consumer, MessageIdResolver resolver, Message message)
      throws JMSException {
    try {
      return MessageIds.judge(resolver.resolve(message), false);
    } catch (JMSException | RuntimeException failed) {
      if (mayPass(failed)) {
        throw failed;
      }
      WatchLog.resolverFailed(consumer, resolver.getClass().getName(), failed);
      return new Unusable(QuarantineReason.MALFORMED_ID);
    }
  }

  /**
   * Whether the next attempt may succeed, because some system did not answer. An {@code
   * IOException} in general does not show that: a parser often throws one because the body is
   * wrong.
   */
  private static boolean mayPass(Throwable failed) {
    return Causes.of(failed)
        .anyMatch(
            cause -> isProviders(cause) || cause instanceof SQLException || isNetworks(cause));
  }

  private static boolean isProviders(Throwable cause) {
    return (cause instanceof JMSException || cause instanceof JMSRuntimeException)
        && !(cause instanceof MessageFormatException
            || cause instanceof MessageFormatRuntimeException
            || cause instanceof MessageEOFException);
  }

  private static boolean isNetworks(Throwable cause) {
    return cause instanceof SocketException
        || cause instanceof UnknownHostException
        || cause instanceof InterruptedIOException
        || cause instanceof HttpTimeoutException;
  }
}
