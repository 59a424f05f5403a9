package io.postbox.testkit.model;

import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.HostileSent;
import io.postbox.testkit.model.Event.Marked;
import io.postbox.testkit.model.Event.Resent;
import io.postbox.testkit.model.Event.Unanswered;
import io.postbox.testkit.model.Event.VersionsSent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The events of a run as seen from outside the server. Thread-safe. */
public final class History {
  private final long began = System.nanoTime();
  private final List<Event> events = new ArrayList<>();

  public Duration now() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  public Acknowledged acknowledged(
      Duration asked, long orderId, UUID messageId, String sku, int quantity) {
    Acknowledged event = new Acknowledged(now(), asked, orderId, messageId, sku, quantity);
    add(event);
    return event;
  }

  public void unanswered(Duration asked, String sku, int quantity, int status, String reason) {
    add(new Unanswered(now(), asked, sku, quantity, status, reason));
  }

  public void resent(long orderId, String answer) {
    add(new Resent(now(), orderId, answer));
  }

  public void hostile(HostileMessage kind, UUID tag, boolean isSent) {
    add(new HostileSent(now(), kind, tag, isSent));
  }

  public void versions(String aggregate, List<Long> versions, boolean isSent) {
    add(new VersionsSent(now(), aggregate, List.copyOf(versions), isSent));
  }

  /** Notes what an operator, or the client whose messages he looks after, has seen or done. */
  public void note(Event event) {
    add(event);
  }

  /** That time of this machine's monotonic clock, which all processes on it share. */
  public Duration at(long nanoTime) {
    return Duration.ofNanos(nanoTime - began);
  }

  /** Notes a fault, or the end of one. */
  public void mark(String subject, String what) {
    add(new Marked(now(), subject, what));
  }

  /** Everything so far. */
  public synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** How many events of a kind there are so far. */
  public synchronized long count(Class<? extends Event> kind) {
    return events.stream().filter(kind::isInstance).count();
  }

  private synchronized void add(Event event) {
    events.add(event);
  }
}
