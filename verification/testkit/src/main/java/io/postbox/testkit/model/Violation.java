package io.postbox.testkit.model;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A promise that was not kept. */
public sealed interface Violation {
  /** Describes the violation in one line. */
  String what();

  /** The order this is about; 0 if it is about none. */
  default long orderId() {
    return 0;
  }

  /** The aggregate this is about, in the order of its versions; empty if it is about none. */
  default String aggregate() {
    return "";
  }

  /** The job this is about; 0 if it is about none. */
  default long job() {
    return 0;
  }

  /** Answered 201, and not there. */
  record Lost(long orderId) implements Violation {
    @Override
    public String what() {
      return "LOST: order " + orderId + " was answered 201 and does not exist";
    }
  }

  /** The order is there, and the effect of its message is not: that message was lost. */
  record NotShipped(long orderId) implements Violation {
    @Override
    public String what() {
      return "LOST: order " + orderId + " has no shipment";
    }
  }

  /** Shipped, but the message that says so never took effect. */
  record NotMarked(long orderId, String status) implements Violation {
    @Override
    public String what() {
      return "LOST: order " + orderId + " has a shipment and is still " + status;
    }
  }

  record ShippedTwice(long orderId, List<Long> shipmentIds) implements Violation {
    @Override
    public String what() {
      return "DOUBLED: order " + orderId + " has shipments " + shipmentIds;
    }
  }

  /** The shipment is there, and the effect of the message about it is not. */
  record NotBilled(long orderId, long shipmentId) implements Violation {
    @Override
    public String what() {
      return "LOST: shipment " + shipmentId + " of order " + orderId + " has no invoice";
    }
  }

  record BilledTwice(long orderId, List<Long> invoiceIds) implements Violation {
    @Override
    public String what() {
      return "DOUBLED: a shipment of order " + orderId + " has invoices " + invoiceIds;
    }
  }

  /** An invoice for a shipment that does not exist, or is that of another order. */
  record GhostInvoice(FinalState.Invoice invoice) implements Violation {
    @Override
    public String what() {
      return "GHOST: no shipment is as it says: " + invoice;
    }

    @Override
    public long orderId() {
      return invoice.orderId();
    }
  }

  /** An effect without its cause: the order's transaction rolled back, its message did not. */
  record GhostShipment(long orderId, long shipmentId) implements Violation {
    @Override
    public String what() {
      return "GHOST: shipment "
          + shipmentId
          + " is for order "
          + orderId
          + ", which does not exist";
    }
  }

  /** More orders than requests. */
  record GhostOrder(long orderId) implements Violation {
    @Override
    public String what() {
      return "GHOST: nobody asked for order " + orderId;
    }
  }

  record Altered(long orderId, String detail) implements Violation {
    @Override
    public String what() {
      return "ALTERED: order " + orderId + ": " + detail;
    }
  }

  /**
   * Two messages of one ordering key changed places on their first way to the broker.
   *
   * @param orderId the one that was answered before the other was asked for
   * @param overtakenBy the other, whose message went first
   */
  record OutOfOrder(long orderId, String key, long overtakenBy) implements Violation {
    @Override
    public String what() {
      return "OUT OF ORDER: the message of order %s was overtaken by that of order %s, both of key '%s'"
          .formatted(orderId, overtakenBy, key);
    }
  }

  /**
   * Two captured messages of one ordering key took effect in another order.
   *
   * @param orderId the one that was captured first
   * @param overtakenBy the other, which took effect first
   */
  record HandledOutOfOrder(long orderId, String key, long overtakenBy) implements Violation {
    @Override
    public String what() {
      return "OUT OF ORDER: order %s was captured before order %s and handled after it, both of key '%s'"
          .formatted(orderId, overtakenBy, key);
    }
  }

  /** Shipped, and nobody has seen its message on its way: the order of sending was not watched. */
  record Unseen(long orderId) implements Violation {
    @Override
    public String what() {
      return "UNSEEN: order " + orderId + " is shipped, and nobody saw its message being sent";
    }
  }

  /** A fault left something that does not end, and that the other checks do not see. */
  record NotAtRest(int round, String fault) implements Violation {
    @Override
    public String what() {
      return "NOT AT REST after round " + round + ": " + fault;
    }
  }

  /** At rest, and what the sample itself counts cannot be right. */
  record WrongCounts(int round, String counts) implements Violation {
    @Override
    public String what() {
      return "WRONG COUNTS after round " + round + ": " + counts;
    }
  }

  /**
   * Something that must not grow did so in a soak.
   *
   * @param when in which part of it
   */
  record Grows(String when, String growth) implements Violation {
    @Override
    public String what() {
      return "GROWS, " + when + ": " + growth;
    }
  }

  record WrongStock(String sku, long expected, long found) implements Violation {
    @Override
    public String what() {
      return "WRONG STOCK of " + sku + ": " + found + " instead of " + expected;
    }
  }

  record LeftInOutbox(long orderId, FinalState.Message message) implements Violation {
    @Override
    public String what() {
      return "LEFT IN THE OUTBOX: " + message;
    }
  }

  record KeyHeld(String key) implements Violation {
    @Override
    public String what() {
      return "HELD: ordering key " + key;
    }
  }

  /** Of a hostile message there is no row that says what was wrong with it, or one too many. */
  record HostileNotOnRecord(HostileMessage kind, UUID tag, List<FinalState.KeptAside> found)
      implements Violation {
    @Override
    public String what() {
      return "HOSTILE, and not kept aside as it has to be: " + kind + " " + tag + ": " + found;
    }
  }

  /** It was to be handled like any other, whatever it says of itself. */
  record HostileSkipped(HostileMessage kind, UUID tag) implements Violation {
    @Override
    public String what() {
      return "SKIPPED: " + kind + " " + tag + " was to be handled";
    }
  }

  /** More is kept aside than a consumer may have. */
  record Filled(long rows, long bytes) implements Violation {
    @Override
    public String what() {
      return "FILLED: " + bytes + " bytes in " + rows + " rows are kept aside";
    }
  }

  /** Bodies were dropped for lack of room, and there was room. */
  record BodiesDropped(long rows, long bytes) implements Violation {
    @Override
    public String what() {
      return "LOST: the bodies of " + rows + " messages, with only " + bytes + " bytes kept aside";
    }
  }

  /** Not each that was forwarded is in the dead queue once. */
  record Forwarded(long expected, long found) implements Violation {
    @Override
    public String what() {
      return "FORWARDED: " + expected + " messages are on record, " + found + " in the dead queue";
    }
  }

  record KeptAside(FinalState.KeptAside message) implements Violation {
    @Override
    public String what() {
      return "KEPT ASIDE: " + message;
    }
  }

  record LeftInQueue(String queue, long messages) implements Violation {
    @Override
    public String what() {
      return "LEFT IN QUEUE " + queue + ": " + messages;
    }
  }

  /** Not handled, and not parked either: nobody works on it, and nobody is to decide about it. */
  record LeftStored(FinalState.Stored message) implements Violation {
    @Override
    public String what() {
      return "LEFT IN THE INBOX: " + message;
    }
  }

  /** Remembered as captured and not as handled, and the message is gone. */
  record CapturedAndGone(String message) implements Violation {
    @Override
    public String what() {
      return "LOST: the inbox has captured message " + message + " and has no row of it";
    }
  }

  /** A server that lives has it on record as at work, and nothing is. */
  record LeftAtWork(String attempt) implements Violation {
    @Override
    public String what() {
      return "LEFT AT WORK: an attempt at message " + attempt;
    }
  }

  /** Shipped, and the inbox would not know its message again. */
  record Forgotten(long orderId) implements Violation {
    @Override
    public String what() {
      return "FORGOTTEN: order " + orderId + " is shipped, and its message is not remembered";
    }
  }

  /** A consumer is not remembered to have handled as many messages as had an effect. */
  record WrongMemory(String consumer, long expected, long found) implements Violation {
    @Override
    public String what() {
      return "WRONG MEMORY: %s has handled %s messages, of which %s are remembered"
          .formatted(consumer, expected, found);
    }
  }

  /** A version of an aggregate was sent for certain, and its effect is not there. */
  record VersionLost(String aggregate, long version) implements Violation {
    @Override
    public String what() {
      return "LOST: version %s of %s was sent and is not handled".formatted(version, aggregate);
    }
  }

  record VersionHandledTwice(String aggregate, long version, long times) implements Violation {
    @Override
    public String what() {
      return "DOUBLED: version %s of %s is handled %s times".formatted(version, aggregate, times);
    }
  }

  record GhostVersion(String aggregate, long version) implements Violation {
    @Override
    public String what() {
      return "GHOST: nobody sent version %s of %s".formatted(version, aggregate);
    }
  }

  /**
   * A version was handled while the one before it was not, or not yet committed.
   *
   * @param after the highest version whose effect was there
   */
  record VersionOutOfOrder(String aggregate, long version, long after) implements Violation {
    @Override
    public String what() {
      return "OUT OF ORDER: version %s of %s was handled after version %s"
          .formatted(version, aggregate, after);
    }
  }

  /** All versions are handled, and the inbox takes one for missing. */
  record VersionAwaited(String aggregate) implements Violation {
    @Override
    public String what() {
      return "AWAITED: a version of " + aggregate;
    }
  }

  /** A job is enqueued, nobody decided against it, and it has no effect. */
  record JobLost(long job) implements Violation {
    @Override
    public String what() {
      return "LOST: job " + job + " has no effect, and nobody discarded it";
    }
  }

  record JobDoubled(long job, int times, int allowed) implements Violation {
    @Override
    public String what() {
      return "DOUBLED: job %s has %s effects, of which %s were asked for"
          .formatted(job, times, allowed);
    }
  }

  record GhostJob(long job) implements Violation {
    @Override
    public String what() {
      return "GHOST: nobody enqueued job " + job;
    }
  }

  /** It waited for a decision, and went on without one. */
  record JobUndecided(long job, Event.Place place, Duration seen, Duration went)
      implements Violation {
    @Override
    public String what() {
      return "UNDECIDED: job %s was seen kept in the %s at %s, and went on at %s without a decision"
          .formatted(job, place, seen, went);
    }
  }

  /** It took effect, or was sent, after its discard was confirmed. */
  record JobAfterDiscard(long job, Duration discarded, Duration went) implements Violation {
    @Override
    public String what() {
      return "DISCARDED: job %s was discarded at %s, and went on at %s"
          .formatted(job, discarded, went);
    }
  }

  /** Of the first messages of a redrive not all had gone, and another one went. */
  record JobBeforeTheFirst(long job, long first, Duration went) implements Violation {
    @Override
    public String what() {
      return "FIRST: job %s went at %s, and the redrive was to wait for job %s"
          .formatted(job, went, first);
    }
  }

  /**
   * Two messages of one ordering key changed places.
   *
   * @param job the one that was enqueued or captured first
   * @param overtakenBy the other
   */
  record JobOutOfOrder(long job, String key, long overtakenBy) implements Violation {
    @Override
    public String what() {
      return "OUT OF ORDER: job %s was overtaken by job %s, both of key '%s'"
          .formatted(job, overtakenBy, key);
    }
  }

  record JobAltered(long job, String text) implements Violation {
    @Override
    public String what() {
      return "ALTERED: job %s took effect as '%s'".formatted(job, text);
    }
  }

  /** Its destination was paused before it was enqueued, and it was sent. */
  record JobDuringPause(long job, String destination, Duration went) implements Violation {
    @Override
    public String what() {
      return "PAUSED: job %s was sent at %s, while its destination '%s' was paused"
          .formatted(job, went, destination);
    }
  }

  /** An action says that it is done, and has not changed what its plan counted. */
  record ActionMiscounts(String action, String kind, long planned, long done) implements Violation {
    @Override
    public String what() {
      return "ACTION: %s %s has changed %s messages of the %s that its plan counted"
          .formatted(kind, action, done, planned);
    }
  }

  record InDoubt(String transaction) implements Violation {
    @Override
    public String what() {
      return "IN DOUBT: prepared transaction " + transaction;
    }
  }
}
