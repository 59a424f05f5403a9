package io.postbox.sample.events;

import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbProperty;

/**
 * An order cannot be shipped; goes to {@code orders}.
 *
 * @param orderId the order
 * @param reason why not, for people
 */
public record OrderRejected(long orderId, String reason) {
  /** Reads it from JSON. */
  @JsonbCreator
  public OrderRejected(
      @JsonbProperty("orderId") long orderId, @JsonbProperty("reason") String reason) {
    this.orderId = orderId;
    this.reason = reason;
  }
}
