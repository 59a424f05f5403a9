package io.postbox.console.inbox;

import io.postbox.console.http.Problem;
import io.postbox.console.http.Query;
import io.postbox.inbox.KeptFilter;
import java.util.Optional;

/** From the names of the API to a filter for parked or quarantined messages. */
final class KeptFilters {
  static final String[] PARKED = {
    "consumer",
    "messageId",
    "reason",
    "signature",
    "error",
    "event",
    "aggregateType",
    "aggregateId",
    "from",
    "before",
    "id"
  };

  /** The inbox stores fewer values of a quarantined message. */
  static final String[] QUARANTINED = {"consumer", "messageId", "reason", "from", "before", "id"};

  private KeptFilters() {}

  static KeptFilter of(Query query) {
    KeptFilter filter = KeptFilter.all();
    filter = query.text("consumer").map(filter::consumer).orElse(filter);
    filter = query.text("messageId").map(filter::messageId).orElse(filter);
    filter = query.text("reason").map(filter::reason).orElse(filter);
    filter = query.text("signature").map(filter::signature).orElse(filter);
    filter = query.text("error").map(filter::errorContains).orElse(filter);
    filter = query.text("event").map(filter::event).orElse(filter);
    filter = query.time("from").map(filter::keptFrom).orElse(filter);
    filter = query.time("before").map(filter::keptBefore).orElse(filter);
    Optional<Long> id = query.text("id").map(KeptFilters::id);
    filter = id.isPresent() ? filter.id(id.get()) : filter;
    return query.aggregate(filter::aggregate).orElse(filter);
  }

  static long id(String text) {
    if (!text.matches("[0-9]{1,18}")) {
      throw Problem.invalid("The id of a row is a number.", "Take it from a list.");
    }
    return Long.parseLong(text);
  }
}
