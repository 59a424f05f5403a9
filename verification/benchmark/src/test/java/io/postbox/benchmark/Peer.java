package io.postbox.benchmark;

/** Something else that people would choose, with the same database, broker and message. */
interface Peer extends AutoCloseable {
  String name();

  Guarantees guarantees();

  /** Drains a backlog; messages per second. */
  double drain(int count) throws Exception;

  /**
   * The promises of a peer and their limits, in a few words each.
   *
   * @param order of messages with one ordering key
   * @param durability of a message whose transaction has committed
   * @param deadLetters the fate of a message that always fails
   */
  record Guarantees(String order, String durability, String deadLetters) {}
}
