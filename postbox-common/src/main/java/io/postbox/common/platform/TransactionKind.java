package io.postbox.common.platform;

/** A kind of transactions, as servers limit how long they may last. */
public enum TransactionKind {
  /** The container's, around a message-driven bean. */
  OF_CONTAINER,
  /** The application's own, or that of whoever calls it. */
  OF_APPLICATION
}
