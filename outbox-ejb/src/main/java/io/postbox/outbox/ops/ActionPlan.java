package io.postbox.outbox.ops;

import io.postbox.common.MessageFilter;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.ErasureQuery;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterFilter.Criterion;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The work of an action in the background, as its row has it. */
sealed interface ActionPlan {
  /** Kept, for each of {@code Json}'s own methods looks for a provider first. */
  JsonProvider JSON = JsonProvider.provider();

  /**
   * An action on dead letters.
   *
   * @param filter selects the letters
   * @param asOf only those that were dead at this time
   * @param perSecond how many become due each second; 0 if they are discarded
   * @param first after how many a redrive waits for their fate; 0 if it does not wait
   */
  record Letters(DeadLetterFilter filter, Instant asOf, int perSecond, int first)
      implements ActionPlan {

    boolean isRedrive() {
      return perSecond > 0;
    }

    @Override
    public String toJson() {
      JsonObjectBuilder criteria = JSON.createObjectBuilder();
      for (Map.Entry<Criterion, Object> each : filter.criteria().entrySet()) {
        String name = MessageFilter.name(each.getKey());
        if (each.getValue() instanceof Set<?> ids) {
          JsonArrayBuilder array = JSON.createArrayBuilder();
          ids.forEach(id -> array.add(id.toString()));
          criteria.add(name, array);
        } else {
          criteria.add(name, each.getValue().toString());
        }
      }
      return JSON.createObjectBuilder()
          .add("filter", criteria)
          .add("asOf", asOf.toString())
          .add("perSecond", perSecond)
          .add("first", first)
          .build()
          .toString();
    }

    private static Letters of(JsonObject json) {
      JsonObject criteria = json.getJsonObject("filter");
      DeadLetterFilter filter = DeadLetterFilter.all();
      for (Criterion each : Criterion.values()) {
        JsonValue value = criteria.get(MessageFilter.name(each));
        if (value != null) {
          filter = and(filter, each, value, criteria);
        }
      }
      return new Letters(
          filter,
          Instant.parse(json.getString("asOf")),
          json.getInt("perSecond"),
          json.getInt("first"));
    }

    private static DeadLetterFilter and(
        DeadLetterFilter filter, Criterion criterion, JsonValue value, JsonObject all) {
      if (criterion == Criterion.IDS) {
        List<UUID> ids =
            value.asJsonArray().getValuesAs(JsonString.class).stream()
                .map(id -> UUID.fromString(id.getString()))
                .toList();
        return filter.ids(ids);
      }
      String text = ((JsonString) value).getString();
      return switch (criterion) {
        case IDS -> throw new IllegalStateException();
        case DESTINATION -> filter.destination(text);
        case EVENT_TYPE -> filter.event(text);
        case AGGREGATE_TYPE ->
            filter.aggregate(text, all.getString(MessageFilter.name(Criterion.AGGREGATE_ID)));
        case AGGREGATE_ID -> filter; // comes with its type
        case ORDERING_KEY -> filter.orderedBy(text);
        case SIGNATURE -> filter.signature(text);
        case ERROR_CONTAINS -> filter.errorContains(text);
        case ENQUEUED_FROM -> filter.enqueuedFrom(Instant.parse(text));
        case ENQUEUED_BEFORE -> filter.enqueuedBefore(Instant.parse(text));
      };
    }
  }

  /**
   * A discard or redirect of waiting messages.
   *
   * @param destination the logical name
   * @param asOf only messages that were enqueued until this time
   * @param estimated whether the plan has not counted all of them
   */
  record Waiting(String destination, Instant asOf, boolean estimated) implements ActionPlan {
    /** For the record of a plan whose messages were not all counted. */
    String leastNumber(long counted) {
      return estimated ? ", at least %s of them, for not all were counted".formatted(counted) : "";
    }

    @Override
    public String toJson() {
      return JSON.createObjectBuilder()
          .add("waiting", destination)
          .add("asOf", asOf.toString())
          .add("estimated", estimated)
          .build()
          .toString();
    }
  }

  /**
   * An erasure.
   *
   * @param query its search
   */
  record Erase(ErasureQuery query) implements ActionPlan {
    @Override
    public String toJson() {
      return query.toJson();
    }
  }

  /** The plan as the row has it. */
  String toJson();

  /** The plan in a row; empty if it is of another kind, or was erased. */
  static <P extends ActionPlan> Optional<P> of(String json, Class<P> kind) {
    return Optional.of(json)
        .filter(it -> it.startsWith("{") && !it.equals(ActionTable.ERASED))
        .map(ActionPlan::of)
        .filter(kind::isInstance)
        .map(kind::cast);
  }

  /** The plan in a row. */
  static ActionPlan of(String json) {
    if (ErasureQuery.isIn(json)) {
      return new Erase(ErasureQuery.of(json));
    }
    try (JsonReader reader = JSON.createReader(new StringReader(json))) {
      JsonObject plan = reader.readObject();
      return plan.containsKey("waiting")
          ? new Waiting(
              plan.getString("waiting"),
              Instant.parse(plan.getString("asOf")),
              plan.getBoolean("estimated"))
          : Letters.of(plan);
    }
  }
}
