package io.postbox.console.outbox;

import io.postbox.console.http.Query;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;

/** From the names of the API to a filter for what is in the archive. */
final class ArchiveFilters {
  static final String[] NAMES = {
    "destination", "event", "aggregateType", "aggregateId", "key", "outcome", "from", "before", "id"
  };

  private static final Status[] OUTCOMES = {Status.SENT, Status.DISCARDED};

  private ArchiveFilters() {}

  static LookupFilter of(Query query) {
    LookupFilter filter =
        LookupFilter.all()
            .status(
                query
                    .text("outcome")
                    .map(name -> new Status[] {LetterFilters.status(name, OUTCOMES)})
                    .orElse(OUTCOMES));
    filter = query.text("destination").map(filter::destination).orElse(filter);
    filter = query.text("event").map(filter::event).orElse(filter);
    filter = query.text("key").map(filter::orderedBy).orElse(filter);
    filter = query.time("from").map(filter::endedFrom).orElse(filter);
    filter = query.time("before").map(filter::endedBefore).orElse(filter);
    filter = query.text("id").map(LetterFilters::id).map(filter::id).orElse(filter);
    return query.aggregate(filter::aggregate, filter::aggregateId).orElse(filter);
  }
}
