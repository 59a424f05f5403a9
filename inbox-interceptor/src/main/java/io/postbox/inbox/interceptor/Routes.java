package io.postbox.inbox.interceptor;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.guard.Route;
import io.postbox.inbox.jms.JmsNames;
import io.postbox.inbox.jms.JmsRoute;
import io.postbox.inbox.jms.SentAgain;
import jakarta.jms.Message;
import java.util.concurrent.Executor;

/**
 * The way back for each delivery of an application. Thread-safe.
 *
 * @param config what was configured
 * @param sentAgain the messages that went it
 */
record Routes(InboxConfig config, SentAgain sentAgain) {

  /**
   * The way back for a message.
   *
   * @param consumer for whom it is
   * @param message as it was received
   * @param when see {@link JmsRoute}: {@code Runnable::run} in the transaction in which the message
   *     is acknowledged; elsewhere it is put off until after the commit
   */
  Route of(String consumer, Message message, Executor when) {
    return new JmsRoute(
        consumer,
        message,
        new JmsNames(
            config.connectionFactory(), config.of(consumer).retryDestination(), Jndi::lookup),
        when,
        sentAgain);
  }
}
