package io.postbox.outbox.enqueue;

import io.postbox.common.store.Dialect;
import io.postbox.common.time.UuidV7;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.OutboxMessage.Aggregate;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.enqueue.PayloadEncoder.Packed;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.Partitioning;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.ReplicationSlotStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks messages, gives them ids and partitions, and writes them. Thread-safe. */
public final class Enqueuer {
  /** The width of the column, for databases that limit it. */
  static final int LONGEST_HEADERS = 1 << 20;

  private final MessageStore store;
  private final InstantSource clock;
  private final UuidV7 ids;
  private final Partitioning partitioning;
  private final PayloadEncoder encoder;
  private final Destinations destinations;
  private final Optional<ReplicationSlotStore> slot;

  /**
   * @param store where the rows go
   * @param clock the time for new ids and for limits in the future
   * @param partitions how many partitions there are
   * @param encoder what becomes of payloads
   */
  public Enqueuer(MessageStore store, InstantSource clock, int partitions, PayloadEncoder encoder) {
    this(store, clock, partitions, encoder, Destinations.ANY, Optional.empty());
  }

  /**
   * @param store where the rows go
   * @param clock the time for new ids and for limits in the future
   * @param partitions how many partitions there are
   * @param encoder what becomes of payloads
   * @param destinations which there are
   * @param slot the connector's, if no node relays
   */
  public Enqueuer(
      MessageStore store,
      InstantSource clock,
      int partitions,
      PayloadEncoder encoder,
      Destinations destinations,
      Optional<ReplicationSlotStore> slot) {
    this.store = store;
    this.clock = clock;
    this.ids = new UuidV7(clock);
    this.partitioning = new Partitioning(partitions);
    this.encoder = encoder;
    this.destinations = destinations;
    this.slot = slot;
  }

  /**
   * Checks a message and gives it an id, unless it has one, and its partition. Nothing is written.
   *
   * @throws MessageRefusedException if it could not be stored or sent as it is
   */
  public NewMessage prepare(OutboxMessage message) {
    MessageValidator checks = new MessageValidator(message);
    checks.destination(message.destination(), destinations);
    checks.text("its event type", message.event().orElse(null), 200);
    checks.text("its aggregate type", message.aggregate().map(Aggregate::type).orElse(null), 100);
    checks.text("its aggregate id", message.aggregate().map(Aggregate::id).orElse(null), 200);
    checks.text("its ordering key", message.orderingKey().orElse(null), 310);
    checks.text("its schema version", message.schemaVersion().orElse(null), 50);
    checks.text("its reply-to", message.replyTo().orElse(null), 100);
    message.replyTo().ifPresent(name -> checks.known("its reply-to", name, destinations));
    checks.text("its correlation id", message.correlationId().orElse(null), 500);
    checks.properties(message.properties());

    message.expiresAfter().ifPresent(checks::expiry);
    if (slot.isPresent()) {
      checks.connector(message, encoder.cipher().isPresent());
    }

    UUID id = message.id().orElseGet(ids::next);
    Packed content = encoder.pack(message, checks);
    Optional<String> traceParent =
        message.traceParent().flatMap(TraceParent::parse).map(TraceParent::toString);
    String orderingKey = message.orderingKey().orElse(null);
    Headers headers =
        new Headers(
            message.correlationId().orElse(null),
            message.replyTo().orElse(null),
            message.aggregateVersion().orElse(null),
            traceParent
                .flatMap(it -> message.traceState())
                .filter(TraceParent::isState)
                .orElse(null),
            message.properties());
    String storedHeaders = headers.toJson();
    checks.headersSize(storedHeaders.length(), LONGEST_HEADERS);
    Envelope plain =
        new Envelope(
            id,
            message.destination(),
            orderingKey,
            message.aggregate().map(Aggregate::type).orElse(null),
            message.aggregate().map(Aggregate::id).orElse(null),
            message.event().orElse(null),
            message.schemaVersion().orElse(null),
            content.contentType(),
            content.body(),
            storedHeaders,
            traceParent.orElse(null));
    Envelope envelope = encoder.seal(plain, checks);
    checks.headersSize(envelope.headers().length(), LONGEST_HEADERS);
    return new NewMessage(
        partitioning.of(message.destination(), orderingKey),
        envelope,
        notBefore(message, checks),
        message.expiresAfter().orElse(null));
  }

  /**
   * The moment, unless it is past by any clock; otherwise the database decides, because this node's
   * clock may run ahead.
   */
  private @Nullable Instant notBefore(OutboxMessage message, MessageValidator checks) {
    if (message.notBefore().isEmpty()) {
      return null;
    }
    Instant now = clock.instant();
    Instant moment = message.notBefore().get();
    checks.delay(
        now, moment, message.orderingKey().orElse(null), message.expiresAfter().orElse(null));
    return moment.isAfter(Instant.EPOCH) ? moment : null;
  }

  /**
   * The exception for the caller when the database refused messages.
   *
   * @param messages the messages that could not be written
   * @param failed the exception of {@link #write}
   */
  public static OutboxException refused(List<OutboxMessage> messages, SQLException failed) {
    return new OutboxException(
        "The database %s %s: %s. The transaction has to roll back."
            .formatted(
                Dialect.isReadOnly(failed)
                    ? "is read-only at the moment (a standby after a failover, a full disk, or"
                        + " default_transaction_read_only) and refused"
                    : "refused",
                messages,
                OutboxLog.EXCEPTIONS.of(failed)),
        failed);
  }

  /**
   * Writes placed messages in the order of the list on the caller's connection.
   *
   * @param fresh whether none of them had an id of the caller's
   * @throws MessageRefusedException if an id is in the table already
   * @throws UncapturedException if no connector would read them; the transaction must not commit
   */
  public void write(Connection connection, List<NewMessage> messages, boolean fresh)
      throws SQLException {
    if (fresh) {
      store.insertFresh(connection, messages);
    } else {
      insertOneByOne(connection, messages);
    }
    leaveToConnector(connection, messages);
  }

  private void insertOneByOne(Connection connection, List<NewMessage> messages)
      throws SQLException {
    for (int i = 0; i < messages.size(); i++) {
      if (!store.insert(connection, messages.get(i))) {
        leaveToConnector(connection, messages.subList(0, i)); // the caller may commit them
        throw new MessageRefusedException(
            messages.get(i).envelope()
                + " is refused: its id is still in the outbox. The transaction is still usable;"
                + " send it again once it has left, or give it another id.");
      }
    }
  }

  /** Their inserts are in the log, and no relay needs their rows. */
  private void leaveToConnector(Connection connection, List<NewMessage> written)
      throws SQLException {
    if (slot.isPresent()
        && !written.isEmpty()
        && !slot.get()
            .deleteInserted(connection, written.stream().map(it -> it.envelope().id()).toList())) {
      throw new UncapturedException(written, slot.get().slot());
    }
  }
}
