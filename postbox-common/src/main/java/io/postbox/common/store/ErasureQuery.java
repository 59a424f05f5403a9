package io.postbox.common.store;

import io.postbox.common.ErasureRefusedException;
import io.postbox.common.ErasureTarget;
import io.postbox.common.ErasureTarget.Aggregate;
import io.postbox.common.ErasureTarget.DataSubject;
import io.postbox.common.ErasureTarget.Messages;
import io.postbox.common.config.DataSubjectKey;
import io.postbox.common.text.FlatJson;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The search of an erasure, as the row of its action has it until it is done. Immutable and
 * thread-safe.
 *
 * @param target the messages, the aggregate or the person to erase
 * @param digest stands for the target where it is not to be named: in the tables' columns if it is
 *     a person, else only in records
 * @param asOf rows that came after this time are left alone
 */
public record ErasureQuery(ErasureTarget target, String digest, Instant asOf) {
  /** Begins what the row of an erasure has. */
  private static final String KIND = "erase";

  /**
   * A query for a target.
   *
   * @param dataSubjects makes the digests of persons, if configured
   * @param service makes the digests that only this service has to recognise
   * @throws ErasureRefusedException if the target is a person, and nothing is configured
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
                      new ErasureRefusedException(
                          "Nothing can be found by its data subject, because"
                              + " postbox.data-subject-secret is not set; nothing was changed. Set"
                              + " it to the secret that the messages' services have, or name"
                              + " messages or an aggregate."))
              .digest(person.key());
    } else if (target instanceof Aggregate aggregate) {
      digest = service.apply("aggregate %s\0%s".formatted(aggregate.type(), aggregate.id()));
    } else {
      digest = "";
    }
    return new ErasureQuery(target, digest, asOf);
  }

  /** The target's name for records, which names no person and no aggregate. */
  public String subject() {
    return target instanceof Messages messages
        ? "messages " + String.join(", ", messages.ids())
        : "%s, digest %s".formatted(target, digest);
  }

  /**
   * The target as conditions on the columns that name aggregates and persons.
   *
   * @param idColumn the column of the messages' ids, with its alias
   * @param ids as this column has them
   */
  public Conditions about(String idColumn, Function<SortedSet<String>, Sql.Array> ids) {
    if (target instanceof Messages messages) {
      return Conditions.of(Condition.equal(idColumn, ids.apply(messages.ids())));
    }
    if (target instanceof Aggregate aggregate) {
      return Conditions.of(
          Condition.equal("m.aggregate_id", aggregate.id()),
          Condition.equal("m.aggregate_type", aggregate.type()));
    }
    return Conditions.of(Condition.equal("m.data_subject", digest));
  }

  /** Leaves out rows that came later, unless messages are named, whose rows are known. */
  public Conditions until(String timeColumn) {
    return target instanceof Messages
        ? Conditions.NONE
        : Conditions.of(Condition.until(timeColumn, asOf));
  }

  /** Whether the row of an action has an erasure. */
  public static boolean isIn(String plan) {
    return plan.startsWith("{\"%s\":".formatted(KIND));
  }

  /** As the row has it, a JSON object. */
  public String toJson() {
    Map<String, String> fields = new LinkedHashMap<>();
    if (target instanceof Messages messages) {
      fields.put(KIND, "messages");
      fields.put("ids", String.join("\n", messages.ids()));
    } else if (target instanceof Aggregate aggregate) {
      fields.put(KIND, "aggregate");
      fields.put("type", aggregate.type());
      fields.put("id", aggregate.id());
    } else {
      fields.put(KIND, "data-subject");
      fields.put("key", ((DataSubject) target).key());
    }
    fields.put("digest", digest);
    fields.put("asOf", asOf.toString());
    return FlatJson.of(fields);
  }

  /** The query in a row. */
  public static ErasureQuery of(String json) {
    Map<String, String> fields = FlatJson.parse(json);
    ErasureTarget target =
        switch (field(fields, KIND)) {
          case "messages" ->
              new Messages(new TreeSet<>(List.of(field(fields, "ids").split("\n", -1))));
          case "aggregate" -> new Aggregate(field(fields, "type"), field(fields, "id"));
          default -> new DataSubject(field(fields, "key"));
        };
    return new ErasureQuery(target, field(fields, "digest"), Instant.parse(field(fields, "asOf")));
  }

  private static String field(Map<String, String> fields, String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }
}
