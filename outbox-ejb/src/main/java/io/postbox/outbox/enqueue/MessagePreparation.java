package io.postbox.outbox.enqueue;

import io.postbox.common.config.DataSubjectKey;
import io.postbox.common.time.UuidV7;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.OutboxMessage.Aggregate;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.enqueue.PayloadEncoder.Packed;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.Partitioning;
import io.postbox.outbox.store.MessageStore.NewMessage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Checks messages, and gives them ids and partitions. It writes nothing, and needs no database.
 * Thread-safe.
 */
public final class MessagePreparation {
  /** The width of the column, for databases that limit it. */
  static final int LONGEST_HEADERS = 1 << 20;

  private final InstantSource clock;
  private final UuidV7 ids;
  private final Partitioning partitioning;
  private final PayloadEncoder encoder;
  private final Destinations destinations;
  private final boolean forConnector;
  private final Optional<DataSubjectKey> dataSubjects;

  /**
   * @param clock the time for new ids and for limits in the future
   * @param partitions how many partitions there are
   * @param encoder encodes payloads
   * @param destinations which there are
   * @param forConnector whether a connector sends the messages, and no node relays
   * @param dataSubjects makes the digests that stand for persons, if configured
   */
  public MessagePreparation(
      InstantSource clock,
      int partitions,
      PayloadEncoder encoder,
      Destinations destinations,
      boolean forConnector,
      Optional<DataSubjectKey> dataSubjects) {
    this.clock = clock;
    this.ids = new UuidV7(clock);
    this.partitioning = new Partitioning(partitions);
    this.encoder = encoder;
    this.destinations = destinations;
    this.forConnector = forConnector;
    this.dataSubjects = dataSubjects;
  }

  /**
   * Prepares the messages of one call, in their order.
   *
   * @throws MessageRefusedException if one of them could not be stored or sent as it is, saying
   *     which
   */
  public List<NewMessage> prepareAll(List<OutboxMessage> messages) {
    List<NewMessage> prepared = new ArrayList<>(messages.size());
    for (OutboxMessage message : messages) {
      try {
        prepared.add(prepare(message));
      } catch (MessageRefusedException refused) {
        if (messages.size() == 1) {
          throw refused;
        }
        throw new MessageRefusedException(
            "Message %s of %s: %s None of the list was written."
                .formatted(prepared.size() + 1, messages.size(), refused.getMessage()),
            refused);
      }
    }
    return prepared;
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
    checks.text("its data subject", message.dataSubject().orElse(null), DataSubjectKey.LONGEST_KEY);
    checks.text("its ordering key", message.orderingKey().orElse(null), 310);
    checks.text("its schema version", message.schemaVersion().orElse(null), 50);
    checks.text("its reply-to", message.replyTo().orElse(null), 100);
    message.replyTo().ifPresent(name -> checks.known("its reply-to", name, destinations));
    checks.text("its correlation id", message.correlationId().orElse(null), 500);
    checks.properties(message.properties());

    message.aggregateVersion().ifPresent(checks::aggregateVersion);
    message.expiresAfter().ifPresent(checks::expiry);
    if (forConnector) {
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
            message.dataSubject().map(key -> digest(key, checks)).orElse(null),
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

  private String digest(String dataSubject, MessageValidator checks) {
    return dataSubjects
        .orElseThrow(
            () ->
                checks.refused(
                    "it names its data subject, of which only a digest is stored, and there is no secret to make one with: set postbox.data-subject-secret to at least %s random characters, the same for all services that exchange messages"
                        .formatted(DataSubjectKey.SHORTEST_SECRET)))
        .digest(dataSubject);
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

  /** The exception for a message of a call whose id is in the table already. */
  public static MessageRefusedException alreadyThere(List<NewMessage> messages, int index) {
    String refused =
        messages.get(index).envelope() + " is refused: its id is still in the outbox. ";
    return new MessageRefusedException(
        messages.size() == 1
            ? refused
                + "The transaction is still usable; send it again once it has left, or give it"
                + " another id."
            : "Message %s of %s: %sThe transaction is marked for rollback, so that none of the list is sent; enqueue it again without this message, or give that another id."
                .formatted(index + 1, messages.size(), refused));
  }
}
