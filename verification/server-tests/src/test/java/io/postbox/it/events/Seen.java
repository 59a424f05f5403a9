package io.postbox.it.events;

import io.postbox.outbox.MessageEvent;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The events that each observer has seen of messages whose event type begins with its name. */
@ApplicationScoped
public class Seen {
  private final List<MessageEvent> byThrowing = new CopyOnWriteArrayList<>();
  private final List<MessageEvent> byAsync = new CopyOnWriteArrayList<>();
  private final List<MessageEvent> bySlow = new CopyOnWriteArrayList<>();
  private final List<MessageEvent> inWar = new CopyOnWriteArrayList<>();

  /** By the observer that throws at each. */
  public List<MessageEvent> byThrowing() {
    return byThrowing;
  }

  /** By the asynchronous observer. */
  public List<MessageEvent> byAsync() {
    return byAsync;
  }

  /** By the slow observer. */
  public List<MessageEvent> bySlow() {
    return bySlow;
  }

  /** By the observer in the WAR. */
  public List<MessageEvent> inWar() {
    return inWar;
  }
}
