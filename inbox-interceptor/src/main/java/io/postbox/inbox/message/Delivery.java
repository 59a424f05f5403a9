package io.postbox.inbox.message;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message to a consumer.
 *
 * @param consumer the name under which it is remembered
 * @param id its id, valid or not
 * @param fingerprint of the body
 * @param source the service that sent it, where that is known
 * @param eventType the type of the event, if known
 * @param subject the aggregate that it concerns, if known
 * @param destination the name of the queue or topic it came from, where there is one from which it
 *     would reach the consumer again
 * @param replyTo where its sender wants the answer, by the broker's name for it, as {@code
 *     queue:REPLIES}; nothing if nowhere, or where that has no name that can be stored
 * @param headers a few of its headers as JSON, for readers of the row
 * @param history of earlier deliveries
 * @param body the state of its body
 * @param content reads everything; asked only for a delivery that is kept aside
 * @param metadata reads everything but the body; asked only for one whose body cannot be kept
 */
public record Delivery(
    String consumer,
    MessageId id,
    Fingerprint fingerprint,
    @Nullable String source,
    @Nullable String eventType,
    @Nullable Subject subject,
    @Nullable String destination,
    @Nullable String replyTo,
    String headers,
    History history,
    Body body,
    Supplier<Content> content,
    Supplier<Content> metadata) {

  /** Whether its content can be read without running foreign code. */
  public boolean canBeKept() {
    return body instanceof Body.Whole || body instanceof Body.LeftOut;
  }

  /** The same delivery, to be stored with headers and properties and without its body. */
  public Delivery withoutBody() {
    return copy(history, new Body.LeftOut(), metadata);
  }

  /** Its id, if it has a usable one. */
  public Optional<String> knownId() {
    return id instanceof MessageId.Known known ? Optional.of(known.value()) : Optional.empty();
  }

  /** Which version of its subject it tells of, where all of that is known. */
  public @Nullable Aggregate aggregate() {
    Long version = subject == null ? null : subject.version();
    return subject == null || version == null
        ? null
        : new Aggregate(subject.type(), subject.id(), version);
  }

  /** The same delivery, to be stored with other content. */
  public Delivery keeping(Content other) {
    return copy(history, body, () -> other);
  }

  /** The same, having come too early as often as is said, if that is more often than it says. */
  public Delivery havingWaited(int waits) {
    return copy(
        new History(
            history.redelivered,
            history.waitedFor,
            Math.max(history.waits, waits),
            history.isCertain),
        body,
        content);
  }

  /** The same, which may be a redelivery although neither the broker nor the message says so. */
  public Delivery maybeRedelivered() {
    return history.mayHaveFailed()
        ? this
        : copy(new History(true, history.waitedFor, history.waits, false), body, content);
  }

  private Delivery copy(History newHistory, Body newBody, Supplier<Content> newContent) {
    return new Delivery(
        consumer,
        id,
        fingerprint,
        source,
        eventType,
        subject,
        destination,
        replyTo,
        headers,
        newHistory,
        newBody,
        newContent,
        metadata);
  }

  /**
   * The history of a delivery.
   *
   * @param redelivered whether the broker has delivered it before
   * @param waitedFor how many failures of its handler it has waited for
   * @param waits how often it came too early in the order of its aggregate
   * @param isCertain whether the broker or the message says so; otherwise it only cannot be ruled
   *     out
   */
  public record History(boolean redelivered, int waitedFor, int waits, boolean isCertain) {
    /** It seems to be the first. */
    public static final History NONE = new History(false, 0, 0);

    /** Whether it is the first is unknown. */
    public static final History UNKNOWN = new History(true, 0, 0, false);

    /** As the broker or the message says. */
    public History(boolean redelivered, int waitedFor, int waits) {
      this(redelivered, waitedFor, waits, true);
    }

    /** Whether a handler may have failed with it. */
    public boolean mayHaveFailed() {
      return redelivered || waitedFor > 0;
    }
  }
}
