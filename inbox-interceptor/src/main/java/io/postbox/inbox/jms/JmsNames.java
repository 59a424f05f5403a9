package io.postbox.inbox.jms;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.ConsumerConfig.Replies;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connection factory and destinations for sending, by JNDI name. They are looked up for each
 * send, so that they may be defined later.
 *
 * @param connectionFactory JNDI name of the connection factory
 * @param retryDestination JNDI name of the queue to which stored messages go back; empty for the
 *     queue of the original
 * @param deadQueue JNDI name of the queue to which messages go whose bodies cannot be kept
 * @param replies the allowed destinations of replies
 * @param lookup looks up a name
 */
public record JmsNames(
    String connectionFactory,
    Optional<String> retryDestination,
    Optional<String> deadQueue,
    Replies replies,
    Lookup lookup) {

  /** Looks a JNDI name up. */
  @FunctionalInterface
  public interface Lookup {
    /**
     * Returns the object bound to a name.
     *
     * @throws Exception if no object has that name
     */
    @Nullable Object find(String jndiName) throws Exception;
  }

  <T> T find(String jndiName, Class<T> type) {
    try {
      Object found = lookup.find(jndiName);
      if (type.isInstance(found)) {
        return type.cast(found);
      }
      throw new InboxException(jndiName + " is not a " + type.getName() + " but " + found, null);
    } catch (InboxException wrongType) {
      throw wrongType;
    } catch (Exception missing) { // a name service may throw anything
      throw new InboxException("There is no " + type.getName() + " at " + jndiName, missing);
    }
  }
}
