package io.postbox.it.modes;

import io.postbox.inbox.MessageFailed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many deliveries of a message were rolled back, whether its handler ran or not. */
@ApplicationScoped
public class Returns {
  private static final Map<String, Integer> RETURNS = new ConcurrentHashMap<>();

  void count(@Observes MessageFailed event) {
    event.messageId().ifPresent(id -> RETURNS.merge(id, 1, Integer::sum));
  }

  static int of(String id) {
    return RETURNS.getOrDefault(id, 0);
  }
}
