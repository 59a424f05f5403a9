package io.postbox.outbox.enqueue;

import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.OutboxMessage.Aggregate;
import io.postbox.outbox.Payload;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.Placed;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Checks messages, gives them ids and partitions, and writes them. Thread-safe. */
public final class Enqueuer {
  /** The width of the column where a database needs one. */
  private static final int LONGEST_HEADERS = 1 << 20;

  private final MessageStore store;
  private final UuidV7 ids;
  private final Partitioning partitioning;
  private final int maxPayload;
  private final Function<Object, String> toJson;

  /**
   * @param store where the rows go
   * @param clock the time in new ids
   * @param partitions how many partitions there are
   * @param maxPayload the largest payload in bytes
   * @param toJson turns an object into JSON text; what it throws refuses the message
   */
  public Enqueuer(
      MessageStore store,
      InstantSource clock,
      int partitions,
      int maxPayload,
      Function<Object, String> toJson) {
    this.store = store;
    this.ids = new UuidV7(clock);
    this.partitioning = new Partitioning(partitions);
    this.maxPayload = maxPayload;
    this.toJson = toJson;
  }

  /**
   * Checks a message and gives it an id, unless it has one, and its partition. Nothing is written.
   *
   * @throws MessageRefusedException if it could not be stored or sent as it is
   */
  public Placed place(OutboxMessage message) {
    Checks checks = new Checks(message);
    checks.text("its destination", message.destination(), 100);
    checks.text("its event type", message.event().orElse(null), 200);
    checks.text("its aggregate type", message.aggregate().map(Aggregate::type).orElse(null), 100);
    checks.text("its aggregate id", message.aggregate().map(Aggregate::id).orElse(null), 200);
    checks.text("its ordering key", message.orderingKey().orElse(null), 310);
    checks.text("its schema version", message.schemaVersion().orElse(null), 50);
    checks.text("its reply-to", message.replyTo().orElse(null), 100);
    checks.text("its correlation id", message.correlationId().orElse(null), 500);
    checks.properties(message.properties());

    Content content = content(message, checks);
    checks.payloadSize(content.size(), maxPayload);
    UUID id = message.id().orElseGet(ids::next);
    String orderingKey = message.orderingKey().orElse(null);
    Headers headers =
        new Headers(
            message.correlationId().orElse(null),
            message.replyTo().orElse(null),
            message.aggregateVersion().orElse(null),
            message.properties());
    String storedHeaders = headers.toJson();
    checks.headersSize(storedHeaders.length(), LONGEST_HEADERS);
    Envelope envelope =
        new Envelope(
            id,
            message.destination(),
            orderingKey,
            message.aggregate().map(Aggregate::type).orElse(null),
            message.aggregate().map(Aggregate::id).orElse(null),
            message.event().orElse(null),
            message.schemaVersion().orElse(null),
            content.type(),
            content.body(),
            storedHeaders,
            null);
    return new Placed(
        partitioning.of(message.destination(), orderingKey, id), envelope, null, null);
  }

  /**
   * Writes placed messages in the order of the list on the caller's connection.
   *
   * @param fresh whether none of them brought its own id
   * @throws MessageRefusedException if an id is in the table already
   */
  public void write(Connection connection, List<Placed> messages, boolean fresh)
      throws SQLException {
    if (fresh && messages.size() > 1) {
      store.insertFresh(connection, messages);
      return;
    }
    for (Placed message : messages) {
      if (!store.insert(connection, message)) {
        throw new MessageRefusedException(
            message.envelope()
                + " is refused: its id is still in the outbox. The transaction is still usable;"
                + " send it again once it has left, or give it another id.");
      }
    }
  }

  /** Of a size in bytes as it is stored. */
  private record Content(String type, Body body, long size) {
    static Content of(String type, String text) {
      return new Content(type, new Body.Text(text), text.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  private Content content(OutboxMessage message, Checks checks) {
    Payload payload =
        message
            .payload()
            .orElseThrow(() -> checks.refused("it has no payload: call text, bytes or json"));
    if (payload instanceof Payload.Text text) {
      checks.unicode("its text", text.value());
      return Content.of("text/plain", text.value());
    }
    if (payload instanceof Payload.Bytes bytes) {
      return new Content(
          "application/octet-stream", new Body.Bytes(bytes.value()), bytes.value().length);
    }
    Object value = ((Payload.Json) payload).value();
    String json = json(message, value);
    checks.unicode("its JSON", json);
    return Content.of("application/json", json);
  }

  private String json(OutboxMessage message, Object value) {
    try {
      return toJson.apply(value);
    } catch (RuntimeException failed) {
      throw new MessageRefusedException(
          "%s is refused and was not written: JSON-B cannot serialise %s (%s). The transaction is still usable."
              .formatted(message, value.getClass().getName(), failed.getMessage()),
          failed);
    }
  }
}
