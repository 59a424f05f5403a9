package io.postbox.console.outbox;

import io.postbox.console.http.Problem;
import io.postbox.console.http.Query;
import io.postbox.console.http.Words;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;
import java.util.UUID;
import java.util.regex.Pattern;

/** From the names of the API to filters for dead letters and other messages of the outbox. */
final class LetterFilters {
  static final String[] NAMES = {
    "destination",
    "event",
    "aggregateType",
    "aggregateId",
    "key",
    "signature",
    "error",
    "from",
    "before",
    "id"
  };

  /** Of a list of the archive. */
  static final String[] ARCHIVE = {
    "destination", "event", "aggregateType", "aggregateId", "key", "outcome", "from", "before", "id"
  };

  private static final Status[] OUTCOMES = {Status.SENT, Status.DISCARDED};
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");

  private LetterFilters() {}

  static DeadLetterFilter of(Query query) {
    DeadLetterFilter filter = DeadLetterFilter.all();
    filter = query.text("destination").map(filter::destination).orElse(filter);
    filter = query.text("event").map(filter::event).orElse(filter);
    filter = query.text("key").map(filter::orderedBy).orElse(filter);
    filter = query.text("signature").map(filter::signature).orElse(filter);
    filter = query.text("error").map(filter::errorContains).orElse(filter);
    filter = query.time("from").map(filter::enqueuedFrom).orElse(filter);
    filter = query.time("before").map(filter::enqueuedBefore).orElse(filter);
    filter = query.text("id").map(LetterFilters::id).map(filter::id).orElse(filter);
    return query.aggregate(filter::aggregate).orElse(filter);
  }

  /** A filter for what is in the archive; the times are those of the end. */
  static LookupFilter archive(Query query) {
    LookupFilter filter = lookup(query);
    filter = query.time("from").map(filter::endedFrom).orElse(filter);
    filter = query.time("before").map(filter::endedBefore).orElse(filter);
    return filter.status(
        query.text("outcome").map(name -> new Status[] {status(name, OUTCOMES)}).orElse(OUTCOMES));
  }

  /** A filter by what every list of messages takes. */
  static LookupFilter lookup(Query query) {
    LookupFilter filter = LookupFilter.all();
    filter = query.text("destination").map(filter::destination).orElse(filter);
    filter = query.text("event").map(filter::event).orElse(filter);
    filter = query.text("key").map(filter::orderedBy).orElse(filter);
    filter = query.text("id").map(LetterFilters::id).map(filter::id).orElse(filter);
    return query.aggregate(filter::aggregate, filter::aggregateId).orElse(filter);
  }

  /** The one of these statuses that has a name. */
  static Status status(String name, Status... known) {
    return Words.one(known, Status::name, name, "There is no such status.");
  }

  static boolean isId(String text) {
    return UUID_FORM.matcher(text).matches();
  }

  static UUID id(String text) {
    if (!isId(text)) {
      throw Problem.invalid(
          "The id of a message is a UUID.",
          "Take it from a list, or look the message up by another of its properties.");
    }
    return UUID.fromString(text);
  }
}
