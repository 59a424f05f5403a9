package io.postbox.inbox.message;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message to a consumer.
 *
 * @param consumer the name under which the inbox remembers it
 * @param id its id, valid or not
 * @param fingerprint the fingerprint of the body
 * @param source the service that sent it, if known
 * @param eventType the type of the event, if known
 * @param subject the aggregate that it concerns, if known
 * @param dataSubject the digest of whom it is about, if its sender said
 * @param destination the name of the queue or topic it was received from, if a message sent there
 *     would reach the consumer again; or {@link #ORIGIN} and where it came from without JMS
 * @param replyTo the requested reply destination, by the broker's name for it, such as {@code
 *     queue:REPLIES}; {@code null} if none is requested or its name cannot be stored
 * @param headers a few of its headers as JSON, for readers of the row
 * @param history the history of earlier deliveries
 * @param body the state of its body
 * @param content reads everything; called only for a delivery that is kept aside
 * @param metadata reads everything but the body; called only for a delivery whose body cannot be
 *     kept
 * @param schedule when its turn is, if it is captured
 * @param stored its row, if the inbox has stored it: this is a copy, or it is captured
 */
public record Delivery(
    String consumer,
    MessageId id,
    Fingerprint fingerprint,
    @Nullable String source,
    @Nullable String eventType,
    @Nullable Subject subject,
    @Nullable String dataSubject,
    @Nullable String destination,
    @Nullable String replyTo,
    String headers,
    History history,
    Body body,
    Supplier<Content> content,
    Supplier<Content> metadata,
    Schedule schedule,
    @Nullable StoredRow stored) {
  /** Begins the destination of a message that arrived without JMS, where nothing can be sent. */
  public static final String ORIGIN = "origin:";

  /** Whether its content can be stored without running foreign code. */
  public boolean canBeKept() {
    return body instanceof Body.Whole || body instanceof Body.LeftOut;
  }

  /** A copy to be stored with headers and properties and without its body. */
  public Delivery withoutBody() {
    return copy(history, new Body.LeftOut(), metadata, stored);
  }

  /** A copy that has no row. */
  public Delivery withoutRow() {
    return copy(history, body, content, null);
  }

  /** Its id, if it has a usable one. */
  public Optional<String> knownId() {
    return id instanceof MessageId.Known known ? Optional.of(known.value()) : Optional.empty();
  }

  /** The version of the aggregate that it concerns, if all of that is known. */
  public @Nullable Aggregate aggregate() {
    Long version = subject == null ? null : subject.version();
    return subject == null || version == null
        ? null
        : new Aggregate(subject.type(), subject.id(), version);
  }

  /** A copy to be stored with other content. */
  public Delivery keeping(Content other) {
    return copy(history, body, () -> other, stored);
  }

  /** A copy that was too early at least this often. */
  public Delivery havingWaited(int waits) {
    return copy(
        new History(
            history.redelivered,
            history.waitedFor,
            Math.max(history.waits, waits),
            history.isCertain),
        body,
        content,
        stored);
  }

  /** A copy that may be a redelivery, although neither the broker nor the message says so. */
  public Delivery maybeRedelivered() {
    return history.mayHaveFailed()
        ? this
        : copy(new History(true, history.waitedFor, history.waits, false), body, content, stored);
  }

  private Delivery copy(
      History newHistory, Body newBody, Supplier<Content> newContent, @Nullable StoredRow newRow) {
    return new Delivery(
        consumer,
        id,
        fingerprint,
        source,
        eventType,
        subject,
        dataSubject,
        destination,
        replyTo,
        headers,
        newHistory,
        newBody,
        newContent,
        metadata,
        schedule,
        newRow);
  }

  /**
   * The history of a delivery.
   *
   * @param redelivered whether the message was delivered before
   * @param waitedFor how many failures of its handler it has waited for
   * @param waits how often it was too early in the order of its aggregate
   * @param isCertain whether the broker or the message says so; otherwise a redelivery only cannot
   *     be ruled out
   */
  public record History(boolean redelivered, int waitedFor, int waits, boolean isCertain) {
    /** The history of a first delivery. */
    public static final History NONE = new History(false, 0, 0);

    /** The history of a delivery that may be a redelivery. */
    public static final History UNKNOWN = new History(true, 0, 0, false);

    /** A history that the broker or the message states. */
    public History(boolean redelivered, int waitedFor, int waits) {
      this(redelivered, waitedFor, waits, true);
    }

    /** Whether a handler may have failed with it. */
    public boolean mayHaveFailed() {
      return redelivered || waitedFor > 0;
    }
  }
}
