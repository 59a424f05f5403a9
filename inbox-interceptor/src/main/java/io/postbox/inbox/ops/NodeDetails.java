package io.postbox.inbox.ops;

import io.postbox.common.store.NodeTable.Row;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxNode.RunningConsumer;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.util.Collection;
import java.util.List;

/**
 * A node's report on itself, as JSON. A reader leaves out what it does not know: another node may
 * be of another version.
 */
public final class NodeDetails {
  /** How many entries a list has at most. */
  static final int MOST = 100;

  /** Kept, for each of {@code Json}'s own methods looks for a provider first. */
  private static final JsonProvider JSON = JsonProvider.provider();

  private NodeDetails() {}

  /**
   * The JSON object of a node's report.
   *
   * @param running what runs of each consumer
   * @param attempts the state of the node's records of deliveries
   * @param findings the names of what the guarantee check found
   * @param notChecked the names of what it could not check
   */
  public static String toJson(
      Collection<RunningConsumer> running,
      AttemptRecorder.Status attempts,
      List<String> findings,
      List<String> notChecked) {
    JsonArrayBuilder consumers = JSON.createArrayBuilder();
    running.stream().limit(MOST).forEach(consumer -> consumers.add(consumer(consumer)));
    return JSON.createObjectBuilder()
        .add("consumers", consumers)
        .add("recorded", attempts.recorded())
        .add("suspect", attempts.isAlone())
        .add("all", attempts.isWary())
        .add("findings", JSON.createArrayBuilder(findings.stream().limit(MOST).toList()))
        .add("unchecked", JSON.createArrayBuilder(notChecked.stream().limit(MOST).toList()))
        .build()
        .toString();
  }

  private static JsonObject consumer(RunningConsumer consumer) {
    return JSON.createObjectBuilder()
        .add("name", consumer.consumer())
        .add("running", consumer.running())
        .add("workers", consumer.workers())
        .add("missing", consumer.missingWorkers())
        .build();
  }

  /**
   * The node of a row.
   *
   * @throws InboxException if the row holds no JSON object
   */
  public static InboxNode fromRow(Row row) {
    try (var reader = JSON.createReader(new StringReader(row.details()))) {
      return node(row, reader.readObject());
    } catch (RuntimeException other) { // no JSON, or a member of another kind
      throw new InboxException(
          "The row of the node '%s' in inbox_node is not as the inbox writes it, so the nodes cannot be listed; deliveries are not affected. Delete it: a node that is alive writes its row anew."
              .formatted(row.node().name()),
          other);
    }
  }

  private static InboxNode node(Row row, JsonObject object) {
    return new InboxNode(
        row.node().name(),
        row.node().host(),
        row.node().version(),
        row.startedAt(),
        row.aliveAt(),
        row.readAt(),
        row.isAlive(),
        entries(object, "consumers").stream()
            .map(JsonValue::asJsonObject)
            .map(
                consumer ->
                    new RunningConsumer(
                        consumer.getString("name"),
                        consumer.getInt("running"),
                        consumer.getInt("workers", 0),
                        consumer.getInt("missing", 0)))
            .toList(),
        object.getInt("recorded", 0),
        object.getBoolean("suspect", false),
        object.getBoolean("all", false),
        entries(object, "findings").getValuesAs(JsonString::getString),
        entries(object, "unchecked").getValuesAs(JsonString::getString));
  }

  private static JsonArray entries(JsonObject object, String name) {
    JsonArray found = object.getJsonArray(name);
    return found == null ? JsonValue.EMPTY_JSON_ARRAY : found;
  }
}
