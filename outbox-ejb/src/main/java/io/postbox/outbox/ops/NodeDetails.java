package io.postbox.outbox.ops;

import static java.util.Comparator.comparing;

import io.postbox.common.store.NodeTable.Row;
import io.postbox.common.text.Storable;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxNode.BreakerState;
import io.postbox.outbox.OutboxNode.Claim;
import io.postbox.outbox.OutboxNode.OpenBreaker;
import io.postbox.outbox.OutboxNode.RelayState;
import io.postbox.outbox.OutboxNode.StuckPartition;
import io.postbox.outbox.config.OutboxConfig.RelayConfig;
import io.postbox.outbox.ops.Nodes.Report;
import io.postbox.outbox.relay.CircuitBreakers.OpenCircuit;
import io.postbox.outbox.relay.RelayStatus.InHand;
import io.postbox.outbox.store.StoredErrors;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The report of a node about itself, as JSON. A time is written as milliseconds before the report,
 * because the database knows when that was, and nodes' clocks differ. A reader leaves out what it
 * does not know: another node may be of another version.
 *
 * @param errors encrypts and decrypts the errors of destinations
 */
record NodeDetails(StoredErrors errors) {
  /** How many entries a list has at most. */
  static final int MOST = 100;

  /** How many of a partition's destinations are listed at most. */
  static final int MOST_DESTINATIONS = 10;

  /** How many characters an error has at most. */
  static final int LONGEST_ERROR = 500;

  /** Kept, for each of {@code Json}'s own methods looks for a provider first. */
  private static final JsonProvider JSON = JsonProvider.provider();

  /** The JSON object of a node's report. */
  String toJson(String node, Report report) {
    RelayConfig relay = report.relay();
    RelayState state =
        relay.isCdc() ? RelayState.CDC : relay.enabled() ? RelayState.ON : RelayState.OFF;
    JsonObjectBuilder object =
        JSON.createObjectBuilder()
            .add("relay", state.name())
            .add("workers", relay.runsHere() ? relay.workers() : 0)
            .add(
                "breakers",
                array(
                    report.status().circuits().stream()
                        .sorted(comparing(OpenCircuit::openFor).reversed()),
                    circuit -> breaker(node, circuit)))
            .add(
                "claims",
                array(
                    report.status().inHand().stream().sorted(comparing(InHand::taken).reversed()),
                    NodeDetails::claim))
            .add(
                "stuck",
                array(
                    report.status().stuck().entrySet().stream()
                        .sorted(Map.Entry.<Integer, Duration>comparingByValue().reversed()),
                    NodeDetails::stuck))
            .add(
                "findings",
                JSON.createArrayBuilder(report.findings().stream().limit(MOST).toList()))
            .add(
                "unchecked",
                JSON.createArrayBuilder(report.notChecked().stream().limit(MOST).toList()));
    report.status().polled().ifPresent(ago -> object.add("polled", ago.toMillis()));
    return object.build().toString();
  }

  private static <T> JsonArrayBuilder array(
      Stream<T> entries, Function<T, JsonObjectBuilder> toJson) {
    JsonArrayBuilder array = JSON.createArrayBuilder();
    entries.limit(MOST).map(toJson).forEach(array::add);
    return array;
  }

  private JsonObjectBuilder breaker(String node, OpenCircuit circuit) {
    BreakerState state = circuit.halfOpen() ? BreakerState.HALF_OPEN : BreakerState.OPEN;
    return JSON.createObjectBuilder()
        .add("destination", circuit.destination())
        .add("state", state.name())
        .add("since", circuit.openFor().toMillis())
        .add("probe", -circuit.untilProbe().toMillis())
        .add("failures", circuit.failures())
        .add(
            "error",
            errors.sealOfNode(
                node, circuit.destination(), Storable.line(circuit.reason(), LONGEST_ERROR)));
  }

  private static JsonObjectBuilder claim(InHand inHand) {
    return JSON.createObjectBuilder()
        .add("partition", inHand.partition())
        .add(
            "destinations",
            JSON.createArrayBuilder(
                inHand.destinations().stream().limit(MOST_DESTINATIONS).toList()))
        .add("since", inHand.taken().toMillis());
  }

  private static JsonObjectBuilder stuck(Map.Entry<Integer, Duration> stuck) {
    return JSON.createObjectBuilder()
        .add("partition", stuck.getKey())
        .add("since", stuck.getValue().toMillis());
  }

  /**
   * The node of a row.
   *
   * @throws OutboxException if the row holds no JSON object
   */
  OutboxNode fromRow(Row row) {
    try (var reader = JSON.createReader(new StringReader(row.details()))) {
      return node(row, reader.readObject());
    } catch (RuntimeException other) { // no JSON, a member of another kind, or none
      throw new OutboxException(
          "The row of the node '%s' in outbox_node is not as the outbox writes it, so the nodes cannot be listed; messages are not affected. Delete it: a node that is alive writes its row anew."
              .formatted(row.node().name()),
          other);
    }
  }

  private OutboxNode node(Row row, JsonObject object) {
    return new OutboxNode(
        row.node().name(),
        row.node().host(),
        row.node().version(),
        row.startedAt(),
        row.aliveAt(),
        row.readAt(),
        row.isAlive(),
        RelayState.valueOf(object.getString("relay")),
        object.getInt("workers"),
        object.containsKey("polled") ? Optional.of(at(row, object, "polled")) : Optional.empty(),
        objects(object, "breakers")
            .map(
                breaker ->
                    new OpenBreaker(
                        breaker.getString("destination"),
                        BreakerState.valueOf(breaker.getString("state")),
                        at(row, breaker, "since"),
                        at(row, breaker, "probe"),
                        breaker.getInt("failures"),
                        errors.openOfNodeOrTell(
                            row.node().name(),
                            breaker.getString("destination"),
                            breaker.getString("error"))))
            .toList(),
        objects(object, "claims")
            .map(
                claim ->
                    new Claim(
                        claim.getInt("partition"),
                        strings(claim, "destinations"),
                        at(row, claim, "since")))
            .toList(),
        objects(object, "stuck")
            .map(stuck -> new StuckPartition(stuck.getInt("partition"), at(row, stuck, "since")))
            .toList(),
        strings(object, "findings"),
        strings(object, "unchecked"));
  }

  private static Instant at(Row row, JsonObject object, String name) {
    return row.aliveAt().minusMillis(object.getJsonNumber(name).longValue());
  }

  private static Stream<JsonObject> objects(JsonObject object, String name) {
    return entries(object, name).stream().map(JsonValue::asJsonObject);
  }

  private static List<String> strings(JsonObject object, String name) {
    return entries(object, name).getValuesAs(JsonString::getString);
  }

  private static JsonArray entries(JsonObject object, String name) {
    JsonArray found = object.getJsonArray(name);
    return found == null ? JsonValue.EMPTY_JSON_ARRAY : found;
  }
}
