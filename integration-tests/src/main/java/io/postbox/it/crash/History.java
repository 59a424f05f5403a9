package io.postbox.it.crash;

import io.postbox.it.crash.Event.Acknowledged;
import io.postbox.it.crash.Event.HostileSent;
import io.postbox.it.crash.Event.Marked;
import io.postbox.it.crash.Event.Resent;
import io.postbox.it.crash.Event.Unanswered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What happened, as seen from outside the server. Filled by several threads. */
final class History {
  private final long began = System.nanoTime();
  private final List<Event> events = new ArrayList<>();

  Duration now() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  Acknowledged acknowledged(
      Duration asked, long orderId, UUID messageId, String sku, int quantity) {
    Acknowledged event = new Acknowledged(now(), asked, orderId, messageId, sku, quantity);
    add(event);
    return event;
  }

  void unanswered(Duration asked, String sku, int quantity, int status, String reason) {
    add(new Unanswered(now(), asked, sku, quantity, status, reason));
  }

  void resent(long orderId, String answer) {
    add(new Resent(now(), orderId, answer));
  }

  void hostile(HostileMessage kind, UUID tag, boolean isSent) {
    add(new HostileSent(now(), kind, tag, isSent));
  }

  /** Notes a fault, or the end of one. */
  void mark(String subject, String what) {
    add(new Marked(now(), subject, what));
  }

  /** Everything so far. */
  synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** How many events of a kind there are so far. */
  synchronized long count(Class<? extends Event> kind) {
    return events.stream().filter(kind::isInstance).count();
  }

  private synchronized void add(Event event) {
    events.add(event);
  }
}
