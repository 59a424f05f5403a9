package io.postbox.sample.journey;

import io.postbox.sample.orders.OrderStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far an order is, and what happened to its message on the way.
 *
 * @param orderId its number
 * @param sku the article
 * @param quantity how many
 * @param status its state
 * @param messageId the message to shipping
 * @param destination where that message goes, if it still waits
 * @param stations where it stands
 * @param failures when the handler failed, oldest first, since the last redrive
 * @param timesSent how often the message was sent by this node since its start
 * @param duplicates how many deliveries of it this node skipped since its start
 * @param parked the row of the message among the parked ones
 * @param quarantined the rows of quarantined messages with its id
 * @param shipments the numbers of the order's shipments: one, once it is shipped
 */
public record Journey(
    long orderId,
    String sku,
    int quantity,
    OrderStatus status,
    String messageId,
    Optional<String> destination,
    List<Station> stations,
    List<Instant> failures,
    int timesSent,
    int duplicates,
    OptionalLong parked,
    List<Long> quarantined,
    List<Long> shipments) {}
