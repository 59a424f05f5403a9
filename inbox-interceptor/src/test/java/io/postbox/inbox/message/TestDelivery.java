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
    boolean canBeKept,
    Content content,
    @Nullable String replyTo) {
  /** What every delivery holds unless something else is said. */
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
        true,
        new Content(BodyType.TEXT, "hello", null, "{}"),
        null);
  }

  public TestDelivery to(String other) {
    return new TestDelivery(other, id, fingerprint, subject, history, canBeKept, content, replyTo);
  }

  public TestDelivery with(Fingerprint other) {
    return new TestDelivery(consumer, id, other, subject, history, canBeKept, content, replyTo);
  }

  public TestDelivery with(Aggregate other) {
    return with(new Subject(other.type(), other.id(), other.version()));
  }

  public TestDelivery with(Subject other) {
    return new TestDelivery(consumer, id, fingerprint, other, history, canBeKept, content, replyTo);
  }

  public TestDelivery with(History other) {
    return new TestDelivery(consumer, id, fingerprint, subject, other, canBeKept, content, replyTo);
  }

  public TestDelivery with(Content other) {
    return new TestDelivery(consumer, id, fingerprint, subject, history, canBeKept, other, replyTo);
  }

  /** Whose sender wants the answer there. */
  public TestDelivery askedFor(@Nullable String place) {
    return new TestDelivery(consumer, id, fingerprint, subject, history, canBeKept, content, place);
  }

  /** Like an object message. */
  public TestDelivery thatCannotBeKept() {
    return new TestDelivery(consumer, id, fingerprint, subject, history, false, content, replyTo);
  }

  public Delivery delivery() {
    return new Delivery(
        consumer,
        id,
        fingerprint,
        "shop",
        "OrderPlaced",
        subject,
        "queue:Q." + consumer,
        replyTo,
        "{\"JMSType\":\"OrderPlaced\"}",
        history,
        canBeKept,
        () -> content);
  }
}
