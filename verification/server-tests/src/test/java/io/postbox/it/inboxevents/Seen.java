package io.postbox.it.inboxevents;

import io.postbox.inbox.MessageEvent;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The events that each observer has seen. */
@ApplicationScoped
public class Seen {
  private final Map<String, List<MessageEvent>> events = new ConcurrentHashMap<>();

  /** Notes an event. */
  public void add(String observer, MessageEvent event) {
    by(observer).add(event);
  }

  /** All that an observer has seen, in order. */
  public List<MessageEvent> by(String observer) {
    return events.computeIfAbsent(observer, key -> new CopyOnWriteArrayList<>());
  }

  /** The events that an observer has seen of a consumer, in order. */
  public List<MessageEvent> of(String observer, String consumer) {
    return by(observer).stream().filter(event -> event.consumer().equals(consumer)).toList();
  }
}
