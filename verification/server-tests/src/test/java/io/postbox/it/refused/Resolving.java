package io.postbox.it.refused;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.MessageIdResolver;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.jms.Message;

/** Wants an id from what the container does not know. */
@ApplicationScoped
public class Resolving {

  /** Has no scope. */
  public static class NoBean implements MessageIdResolver {
    @Override
    public String resolve(Message message) {
      return "id";
    }
  }

  /** Handles it. */
  @Inbox(value = "resolving", idFrom = IdFrom.RESOLVER, resolver = NoBean.class)
  public void handle(Message message) {}
}
