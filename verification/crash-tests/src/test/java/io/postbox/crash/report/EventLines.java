package io.postbox.crash.report;

import io.postbox.testkit.model.Event;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.HostileSent;
import io.postbox.testkit.model.Event.JobsDecided;
import io.postbox.testkit.model.Event.JobsEnqueued;
import io.postbox.testkit.model.Event.JobsSeenKept;
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

  /** The same of a job: what an operator has seen and decided, where it went, and its effects. */
  static List<String> ofJob(long job, List<Event> history, FinalState state) {
    List<String> lines = new ArrayList<>();
    history.stream()
        .filter(e -> e instanceof Marked || jobs(e).contains(job))
        .map(e -> e instanceof Marked ? line(e) : ofJob(job, e))
        .forEach(lines::add);
    List<String> ids = new ArrayList<>();
    history.stream()
        .filter(JobsEnqueued.class::isInstance)
        .map(JobsEnqueued.class::cast)
        .filter(e -> e.isCertain() && e.jobs().contains(job))
        .forEach(e -> ids.add(e.ids().get(e.jobs().indexOf(job))));
    state.jobs().runs().stream()
        .filter(run -> run.job() == job)
        .peek(run -> ids.add(run.messageId()))
        .forEach(run -> lines.add(seconds(run.at()) + "  " + run));
    state.jobs().sends().stream()
        .filter(send -> ids.contains(send.messageId()))
        .forEach(send -> lines.add(seconds(send.at()) + "  sent or tried: " + send.messageId()));
    state.outbox().stream()
        .filter(message -> message.orderId() == job && message.destination().startsWith("jobs"))
        .forEach(message -> lines.add("in the end: outbox " + message));
    state.keptAside().stream()
        .filter(kept -> ids.contains(kept.messageId()))
        .forEach(kept -> lines.add("in the end: " + kept));
    state.captures().messages().stream()
        .filter(captured -> ids.contains(captured.messageId()))
        .forEach(captured -> lines.add("in the end: " + captured));
    return lines;
  }

  private static List<Long> jobs(Event event) {
    if (event instanceof JobsEnqueued e) {
      return e.jobs();
    }
    if (event instanceof JobsSeenKept e) {
      return e.jobs();
    }
    return event instanceof JobsDecided e ? e.jobs() : List.of();
  }

  private static String ofJob(long job, Event event) {
    if (event instanceof JobsEnqueued e) {
      return "%s  job %s of %s enqueued for '%s', key '%s', asked for at %s: %s"
          .formatted(
              seconds(e.at()),
              job,
              e.jobs().size(),
              e.destination(),
              e.key(),
              seconds(e.asked()),
              e.isCertain() ? e.ids().get(e.jobs().indexOf(job)) : "?");
    }
    if (event instanceof JobsSeenKept e) {
      return "%s  seen kept in the %s, asked for at %s"
          .formatted(seconds(e.at()), e.place(), seconds(e.asked()));
    }
    JobsDecided e = (JobsDecided) event;
    return "%s  %s in the %s, with %s jobs, first %s, asked for at %s: %s"
        .formatted(
            seconds(e.at()),
            e.decision(),
            e.place(),
            e.jobs().size(),
            e.first(),
            seconds(e.asked()),
            e.isCertain() ? "done" : "?");
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
