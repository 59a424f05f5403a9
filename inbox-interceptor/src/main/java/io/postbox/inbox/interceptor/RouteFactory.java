package io.postbox.inbox.interceptor;

import io.postbox.common.server.Jndi;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.jms.JmsNames;
import io.postbox.inbox.jms.JmsRoute;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.jms.Providers;
import io.postbox.inbox.jms.ResentMessages;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.receiver.Route;
import jakarta.jms.Message;
import java.util.concurrent.Executor;

/**
 * The way back for each delivery of an application. Thread-safe.
 *
 * @param config the configuration
 * @param proofs proves that this service has resent a message
 * @param resent the messages that were resent
 * @param providers know the connection factories' providers
 */
record RouteFactory(InboxConfig config, Proofs proofs, ResentMessages resent, Providers providers) {

  /**
   * The way back for a message.
   *
   * @param consumer the name of its consumer
   * @param message the received message
   * @param when see {@link JmsRoute}: {@code Runnable::run} in the transaction that acknowledges
   *     the message; otherwise an executor that waits for the commit
   */
  Route of(Consumer consumer, Message message, Executor when) {
    return new JmsRoute(
        consumer,
        message,
        new JmsNames(
            config.connectionFactoryOf(consumer.name()),
            config.of(consumer.name()).retryDestination(),
            config.of(consumer.name()).deadQueue(),
            config.of(consumer.name()).replies(),
            Jndi::lookup),
        proofs,
        when,
        resent,
        providers);
  }
}
