package io.postbox.common.store;

import io.postbox.common.ErasureTarget;
import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.ErasureTarget.DataSubject;
import io.postbox.common.ErasureTarget.Messages;
import io.postbox.common.config.DataSubjectKey;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What an erasure looks for, as the row of its action has it until it is done. Immutable and
 * thread-safe.
 *
 * @param target what is to be erased
 * @param digest what stands for the target where it is not to be named: in the tables' columns if
 *     it is a person, else only in records
 * @param asOf what came after this time is left alone
 */
public record ErasureQuery(ErasureTarget target, String digest, Instant asOf) {
  /** Begins what the row of an erasure has. */
  private static final String KIND = "erase";

  private static final JsonProvider JSON = JsonProvider.provider();

  /**
   * A query for a target.
   *
   * @param dataSubjects makes the digests of persons, if configured
   * @param service makes the digests that only this service has to recognise
   * @throws IllegalArgumentException if the target is a person, and nothing is configured
   */
  public static ErasureQuery of(
      ErasureTarget target,
      Optional<DataSubjectKey> dataSubjects,
      UnaryOperator<String> service,
      Instant asOf) {
    String digest;
    if (target instanceof DataSubject person) {
      digest =
          dataSubjects
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "Nothing can be found by its data subject, because postbox.data-subject-secret is not set; nothing was changed. Set it to the secret that the messages' services have, or name messages or an aggregate."))
              .digest(person.key());
    } else if (target instanceof Aggregate aggregate) {
      digest = service.apply("aggregate %s\0%s".formatted(aggregate.type(), aggregate.id()));
    } else {
      digest = "";
    }
    return new ErasureQuery(target, digest, asOf);
  }

  /** What records say of the target, without naming a person or an aggregate. */
  public String subject() {
    return target instanceof Messages messages
        ? "messages " + String.join(", ", messages.ids())
        : "%s, digest %s".formatted(target, digest);
  }

  /** All parts, for the token of a plan. */
  public List<Object> content() {
    if (target instanceof Aggregate aggregate) {
      return List.of("aggregate", aggregate.type(), aggregate.id(), asOf);
    }
    return target instanceof DataSubject person
        ? List.of("data subject", person.key(), asOf)
        : List.of("messages", ((Messages) target).ids(), asOf);
  }

  /** Whether the row of an action has an erasure. */
  public static boolean isIn(JsonObject plan) {
    return plan.containsKey(KIND);
  }

  /** As the row has it. */
  public String toJson() {
    JsonObjectBuilder json = JSON.createObjectBuilder();
    if (target instanceof Messages messages) {
      json.add(KIND, "messages").add("ids", JSON.createArrayBuilder(messages.ids()));
    } else if (target instanceof Aggregate aggregate) {
      json.add(KIND, "aggregate").add("type", aggregate.type()).add("id", aggregate.id());
    } else {
      json.add(KIND, "data-subject").add("key", ((DataSubject) target).key());
    }
    return json.add("digest", digest).add("asOf", asOf.toString()).build().toString();
  }

  /** What a row has. */
  public static ErasureQuery of(JsonObject json) {
    ErasureTarget target =
        switch (json.getString(KIND)) {
          case "messages" ->
              new Messages(
                  json.getJsonArray("ids").getValuesAs(JsonString.class).stream()
                      .map(JsonString::getString)
                      .collect(Collectors.toCollection(TreeSet::new)));
          case "aggregate" -> new Aggregate(json.getString("type"), json.getString("id"));
          default -> new DataSubject(json.getString("key"));
        };
    return new ErasureQuery(
        target, json.getString("digest"), Instant.parse(json.getString("asOf")));
  }

  /** What a row has. */
  public static ErasureQuery of(String json) {
    try (JsonReader reader = JSON.createReader(new StringReader(json))) {
      return of(reader.readObject());
    }
  }
}
