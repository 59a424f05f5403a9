package io.postbox.crash.report;

import io.postbox.testkit.model.Event;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.HostileSent;
import io.postbox.testkit.model.Event.Marked;
import io.postbox.testkit.model.Event.Resent;
import io.postbox.testkit.model.Event.Unanswered;
import io.postbox.testkit.model.Event.VersionsSent;
import io.postbox.testkit.model.FinalState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Tells what happened, as lines of text for a person. */
public final class EventLines {
  private EventLines() {}

  /** An order's whole life: requests and answers, the server's faults, and the final state. */
  static List<String> of(long orderId, List<Event> history, FinalState state) {
    List<String> lines = new ArrayList<>();
    List<Event> own = history.stream().filter(event -> event.orderId() == orderId).toList();
    Duration first = own.isEmpty() ? Duration.ZERO : own.get(0).at();
    history.stream()
        .filter(e -> own.contains(e) || (e instanceof Marked && e.at().compareTo(first) > 0))
        .limit(20)
        .map(EventLines::line)
        .forEach(lines::add);
    if (own.isEmpty()) {
      lines.add(0, "no client knows this order");
    }
    state.orders().stream()
        .filter(order -> order.id() == orderId)
        .forEach(order -> lines.add("in the end: " + order));
    state.shipments().stream()
        .filter(shipment -> shipment.orderId() == orderId)
        .forEach(shipment -> lines.add("in the end: " + shipment));
    state.invoices().stream()
        .filter(invoice -> invoice.orderId() == orderId)
        .forEach(invoice -> lines.add("in the end: " + invoice));
    state.outbox().stream()
        .filter(message -> message.orderId() == orderId)
        .forEach(message -> lines.add("in the end: outbox " + message));
    String ids =
        own.stream()
            .filter(Acknowledged.class::isInstance)
            .map(event -> ((Acknowledged) event).messageId().toString())
            .collect(Collectors.joining(" "));
    state.keptAside().stream()
        .filter(kept -> ids.contains(kept.messageId()))
        .forEach(kept -> lines.add("in the end: " + kept));
    state.captures().messages().stream()
        .filter(captured -> ids.contains(captured.messageId()))
        .forEach(captured -> lines.add("in the end: " + captured));
    return lines;
  }

  /** The same of the versions of an aggregate. */
  static List<String> ofVersions(String aggregate, List<Event> history, FinalState state) {
    List<String> lines = new ArrayList<>();
    history.stream()
        .filter(
            e ->
                e instanceof Marked
                    || (e instanceof VersionsSent v && v.aggregate().equals(aggregate)))
        .map(EventLines::line)
        .forEach(lines::add);
    state.versions().handled().stream()
        .filter(handled -> handled.aggregate().equals(aggregate))
        .forEach(handled -> lines.add("in the end: " + handled));
    return lines;
  }

  /** The faults of a server, and when they struck. */
  static List<String> ofTheServer(List<Event> history) {
    return history.stream().filter(Marked.class::isInstance).map(EventLines::line).toList();
  }

  public static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1000.0);
  }

  private static String line(Event event) {
    return seconds(event.at()) + "  " + words(event);
  }

  private static String words(Event event) {
    if (event instanceof Acknowledged e) {
      return "order %s (%s x %s), asked for at %s, answered 201, message %s"
          .formatted(e.orderId(), e.quantity(), e.sku(), seconds(e.asked()), e.messageId());
    }
    if (event instanceof Resent e) {
      return "order %s asked for again: %s".formatted(e.orderId(), e.answer());
    }
    if (event instanceof HostileSent e) {
      return "hostile message %s %s: %s".formatted(e.kind(), e.tag(), e.isSent() ? "sent" : "?");
    }
    if (event instanceof VersionsSent e) {
      return "versions %s of %s: %s"
          .formatted(e.versions(), e.aggregate(), e.isSent() ? "sent" : "?");
    }
    if (event instanceof Marked e) {
      return (e.subject() + " " + e.what()).strip();
    }
    Unanswered e = (Unanswered) event;
    return "%s x %s, asked for at %s: %s %s"
        .formatted(e.quantity(), e.sku(), seconds(e.asked()), e.status(), e.reason());
  }
}
