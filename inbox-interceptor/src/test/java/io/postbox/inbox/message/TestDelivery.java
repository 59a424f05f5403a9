package io.postbox.inbox.message;

import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.MessageId.Known;
import org.jspecify.annotations.Nullable;

/** Deliveries for tests, each like the one before but for what is said. */
public record TestDelivery(
    String consumer,
    MessageId id,
    Fingerprint fingerprint,
    @Nullable Subject subject,
    History history,
    Body body,
    Content content,
    @Nullable String replyTo,
    @Nullable StoredRow stored) {
  /** The fingerprint of every delivery that names no other. */
  public static final Fingerprint FINGERPRINT = new Fingerprint(1, "11".repeat(32));

  /** A delivery of "hello" to shipping. */
  public static TestDelivery of(String id) {
    return of(new Known(id));
  }

  public static TestDelivery of(MessageId id) {
    return new TestDelivery(
        "shipping",
        id,
        FINGERPRINT,
        null,
        History.NONE,
        new Body.Whole(),
        new Content(BodyType.TEXT, "hello", null, "{}"),
        null,
        null);
  }

  public TestDelivery to(String other) {
    return new TestDelivery(
        other, id, fingerprint, subject, history, body, content, replyTo, stored);
  }

  public TestDelivery with(MessageId other) {
    return new TestDelivery(
        consumer, other, fingerprint, subject, history, body, content, replyTo, stored);
  }

  public TestDelivery with(Fingerprint other) {
    return new TestDelivery(consumer, id, other, subject, history, body, content, replyTo, stored);
  }

  public TestDelivery with(Aggregate other) {
    return with(new Subject(other.type(), other.id(), other.version()));
  }

  public TestDelivery with(Subject other) {
    return new TestDelivery(
        consumer, id, fingerprint, other, history, body, content, replyTo, stored);
  }

  public TestDelivery with(History other) {
    return new TestDelivery(
        consumer, id, fingerprint, subject, other, body, content, replyTo, stored);
  }

  public TestDelivery with(Content other) {
    return new TestDelivery(
        consumer, id, fingerprint, subject, history, body, other, replyTo, stored);
  }

  /** A delivery whose sender wants the answer there. */
  public TestDelivery askedFor(@Nullable String place) {
    return new TestDelivery(
        consumer, id, fingerprint, subject, history, body, content, place, stored);
  }

  /** Like an object message. */
  public TestDelivery thatCannotBeKept() {
    return with(new Body.Opaque("ID:7"));
  }

  public TestDelivery with(Body other) {
    return new TestDelivery(
        consumer, id, fingerprint, subject, history, other, content, replyTo, stored);
  }

  /** A copy of the message in that row. */
  public TestDelivery with(@Nullable StoredRow row) {
    return new TestDelivery(
        consumer, id, fingerprint, subject, history, body, content, replyTo, row);
  }

  public Delivery delivery() {
    return new Delivery(
        consumer,
        id,
        fingerprint,
        "shop",
        "OrderPlaced",
        subject,
        null,
        "queue:Q." + consumer,
        replyTo,
        "{\"JMSType\":\"OrderPlaced\"}",
        history,
        body,
        () -> content,
        () -> new Content(BodyType.NOT_KEPT, null, null, "{}"),
        Schedule.PLAIN,
        stored);
  }
}
