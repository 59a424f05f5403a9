package io.postbox.testkit.model;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state once everything has come to rest, read past the product: from its tables, the broker's
 * counters and the database's list of prepared transactions.
 *
 * @param shipments in the order in which their transactions began to write
 * @param invoices those for shipments
 * @param stockBefore the stock of each article before the first order
 * @param stock the rest of it
 * @param outbox the messages still in the outbox, of any status
 * @param heldKeys ordering keys that wait for their first message
 * @param keptAside deliveries that the inbox quarantined or parked
 * @param handled the ids of the messages that the inbox knows as handled by shipping
 * @param captures the inbox's records of messages that it stored first
 * @param versions the fate of messages that are handled in the order of versions
 * @param jobs the fate of messages about which an operator decides
 * @param queues how many messages each queue holds
 * @param sent the messages that the brokers have taken, in that order; one may be there more than
 *     once
 * @param inDoubt transactions that were prepared and then neither committed nor rolled back
 */
public record FinalState(
    List<Order> orders,
    List<Shipment> shipments,
    List<Invoice> invoices,
    Map<String, Long> stockBefore,
    Map<String, Long> stock,
    List<Message> outbox,
    List<String> heldKeys,
    List<KeptAside> keptAside,
    Set<String> handled,
    Captures captures,
    Versions versions,
    Jobs jobs,
    Map<String, Long> queues,
    List<Sent> sent,
    List<String> inDoubt) {
  public static final FinalState EMPTY =
      new FinalState(
          List.of(),
          List.of(),
          List.of(),
          Map.of(),
          Map.of(),
          List.of(),
          List.of(),
          List.of(),
          Set.of(),
          Captures.NONE,
          Versions.NONE,
          Jobs.NONE,
          Map.of(),
          List.of(),
          List.of());

  public record Order(long id, String sku, int quantity, String status, String messageId) {}

  public record Shipment(long id, long orderId, String sku, int quantity) {}

  public record Invoice(long id, long orderId, long shipmentId) {}

  /**
   * The inbox's records of messages that it stored first or hands back, and of attempts at any.
   *
   * @param messages its rows, in the order in which they were stored
   * @param keys those ordering keys that it takes for unfinished, each after its consumer
   * @param withoutRow messages that it remembers as captured, and has no row of
   * @param billed how many messages billing is remembered to have handled
   * @param attempts those that servers which live have on record as at work
   */
  public record Captures(
      List<Stored> messages,
      List<String> keys,
      List<String> withoutRow,
      long billed,
      List<String> attempts) {
    public static final Captures NONE = new Captures(List.of(), List.of(), List.of(), 0, List.of());
  }

  /**
   * A message that was captured, or goes back to its listener.
   *
   * @param key its ordering key; empty if it has none
   */
  public record Stored(String consumer, String messageId, String key, String status) {
    /** Kept after it was handled, where that is configured. */
    boolean isProcessed() {
      return status.equals("PROCESSED");
    }

    boolean isParked() {
      return status.equals("PARKED");
    }
  }

  /**
   * The consumers that handle the versions of an aggregate in their order.
   *
   * @param handled as their handlers have written it down, in any order
   * @param awaited those aggregates of which the inbox takes a version for missing
   * @param remembered how many of their messages the inbox remembers as handled
   */
  public record Versions(List<HandledVersion> handled, List<String> awaited, long remembered) {
    public static final Versions NONE = new Versions(List.of(), List.of(), 0);
  }

  /**
   * One run of a handler.
   *
   * @param after the highest version of the aggregate whose effect it saw; 0 if it saw none
   */
  public record HandledVersion(String aggregate, long version, long after) {}

  /**
   * The messages about which an operator decides.
   *
   * @param runs what their handlers have committed, in the order in which they ran
   * @param sends what the relay has sent or was about to send, of all messages, in that order
   */
  public record Jobs(List<JobRun> runs, List<JobSend> sends) {
    public static final Jobs NONE = new Jobs(List.of(), List.of());
  }

  /**
   * One committed run of a handler.
   *
   * @param at when it began, since the history began
   * @param text what the message said
   */
  public record JobRun(Duration at, long job, String consumer, String messageId, String text) {}

  /**
   * A message on its way to the broker.
   *
   * @param at since the history began
   */
  public record JobSend(Duration at, String messageId) {}

  /**
   * A row of the outbox.
   *
   * @param orderId the aggregate's id
   * @param error its last one; empty if there was none
   */
  public record Message(
      String id, String destination, long orderId, String status, int attempts, String error) {}

  /**
   * A message that the inbox has quarantined or parked.
   *
   * @param tag that of a hostile message; empty if it is none
   * @param hasBody whether its body was kept too
   * @param size in bytes
   */
  public record KeptAside(
      String consumer, String messageId, String reason, String tag, boolean hasBody, long size) {}
}
