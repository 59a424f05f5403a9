package io.postbox.inbox.ops;

import io.postbox.common.MessageFilter;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptFilter.Criterion;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.RedrivePace;
import io.postbox.inbox.ReplyOnRedrive;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The task of an action in the background, as its row has it.
 *
 * @param kind the kind of messages
 * @param filter selects the messages
 * @param upTo only rows up to this id
 * @param redrive whether they keep their reply destinations when they are sent; empty if they are
 *     discarded
 * @param pace how a redrive goes on
 */
record KeptActionPlan(
    Kind kind, KeptFilter filter, long upTo, Optional<ReplyOnRedrive> redrive, RedrivePace pace) {
  /** Kept, for each of {@code Json}'s own methods looks for a provider first. */
  static final JsonProvider JSON = JsonProvider.provider();

  KeptActionPlan(Kind kind, KeptFilter filter, long upTo, Optional<ReplyOnRedrive> redrive) {
    this(kind, filter, upTo, redrive, RedrivePace.FASTEST);
  }

  String toJson() {
    JsonObjectBuilder criteria = JSON.createObjectBuilder();
    for (Map.Entry<Criterion, Object> each : filter.criteria().entrySet()) {
      String name = MessageFilter.name(each.getKey());
      if (each.getValue() instanceof Set<?> ids) {
        JsonArrayBuilder array = JSON.createArrayBuilder();
        ids.forEach(id -> array.add((Long) id));
        criteria.add(name, array);
      } else {
        criteria.add(name, each.getValue().toString());
      }
    }
    JsonObjectBuilder plan =
        JSON.createObjectBuilder()
            .add("kind", kind.name())
            .add("filter", criteria)
            .add("upTo", upTo);
    redrive.ifPresent(replies -> plan.add("replies", replies.name()));
    if (!pace.equals(RedrivePace.FASTEST)) {
      plan.add("perSecond", pace.perSecond()).add("first", pace.first());
    }
    return plan.build().toString();
  }

  /** The plan in a row; empty if it is for something else, or was erased. */
  static Optional<KeptActionPlan> planned(String json) {
    return Optional.of(json).filter(it -> it.startsWith("{\"kind\":")).map(KeptActionPlan::of);
  }

  /** The plan in a row. */
  static KeptActionPlan of(String json) {
    try (JsonReader reader = JSON.createReader(new StringReader(json))) {
      JsonObject plan = reader.readObject();
      JsonObject criteria = plan.getJsonObject("filter");
      KeptFilter filter = KeptFilter.all();
      for (Criterion each : Criterion.values()) {
        JsonValue value = criteria.get(MessageFilter.name(each));
        if (value != null) {
          filter = and(filter, each, value, criteria);
        }
      }
      return new KeptActionPlan(
          Kind.valueOf(plan.getString("kind")),
          filter,
          plan.getJsonNumber("upTo").longValue(),
          Optional.ofNullable(plan.getString("replies", null)).map(ReplyOnRedrive::valueOf),
          plan.containsKey("perSecond")
              ? new RedrivePace(plan.getInt("perSecond"), plan.getInt("first"))
              : RedrivePace.FASTEST);
    }
  }

  private static KeptFilter and(
      KeptFilter filter, Criterion criterion, JsonValue value, JsonObject all) {
    if (criterion == Criterion.IDS) {
      return filter.ids(
          value.asJsonArray().getValuesAs(JsonNumber.class).stream()
              .map(JsonNumber::longValue)
              .toList());
    }
    String text = ((JsonString) value).getString();
    return switch (criterion) {
      case IDS -> throw new IllegalStateException();
      case CONSUMER -> filter.consumer(text);
      case MESSAGE_ID -> filter.messageId(text);
      case REASON -> filter.reason(text);
      case KEPT_FROM -> filter.keptFrom(Instant.parse(text));
      case KEPT_BEFORE -> filter.keptBefore(Instant.parse(text));
      case EVENT_TYPE -> filter.event(text);
      case AGGREGATE_TYPE ->
          filter.aggregate(text, all.getString(MessageFilter.name(Criterion.AGGREGATE_ID)));
      case AGGREGATE_ID -> filter; // comes with its type
      case SIGNATURE -> filter.signature(text);
      case ERROR_CONTAINS -> filter.errorContains(text);
    };
  }
}
