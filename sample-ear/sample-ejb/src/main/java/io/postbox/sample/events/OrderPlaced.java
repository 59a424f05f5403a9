package io.postbox.sample.events;

import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbProperty;
import java.util.Objects;

/**
 * A customer ordered something; goes to {@code shipping}.
 *
 * <p>Built from the stored order alone, so that a resend carries the same content under the same
 * id. (With a time of sending in it, the inbox would have to take the resend for a forgery.)
 *
 * @param orderId the order
 * @param sku the article
 * @param quantity how many, at least one
 */
public record OrderPlaced(long orderId, String sku, int quantity) {
  /** Reads it from JSON; refuses what would not be an order. */
  @JsonbCreator
  public OrderPlaced(
      @JsonbProperty("orderId") long orderId,
      @JsonbProperty("sku") String sku,
      @JsonbProperty("quantity") int quantity) {
    if (orderId < 1 || quantity < 1) {
      throw new IllegalArgumentException(
          "orderId and quantity must be positive: " + orderId + ", " + quantity);
    }
    this.orderId = orderId;
    this.sku = Objects.requireNonNull(sku, "sku");
    this.quantity = quantity;
  }
}
