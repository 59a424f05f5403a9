package io.postbox.sample.orders;

/** The outcome of an order. */
public enum OrderStatus {
  /** Taken; shipping has not answered yet. */
  PLACED,
  /** On its way to the customer. */
  SHIPPED,
  /** Shipping cannot deliver it. */
  REJECTED
}
