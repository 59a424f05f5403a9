package io.postbox.inbox.jms;

import io.postbox.inbox.MessageIdResolver;

/** Knows the application's resolvers. Thread-safe. */
@FunctionalInterface
public interface Resolvers {

  /** The resolver of a class. */
  MessageIdResolver of(Class<? extends MessageIdResolver> type);
}
