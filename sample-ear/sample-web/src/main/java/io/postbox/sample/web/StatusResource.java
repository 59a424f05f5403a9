package io.postbox.sample.web;

import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.CapturedStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.sample.billing.BillingService;
import io.postbox.sample.orders.OrderCounts;
import io.postbox.sample.orders.OrderService;
import io.postbox.sample.shipping.ShippingService;
import io.postbox.sample.start.Node;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.UUID;

/** The whole system in numbers. */
@Path("")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
public class StatusResource {
  @Inject OrderService orders;
  @Inject ShippingService shipping;
  @Inject BillingService billing;
  @Inject OutboxStatistics outbox;
  @Inject InboxStatistics inbox;
  @Inject Node node;

  /**
   * Counts, each by a query of its own, so that they may differ by what happens in between.
   *
   * @param orders orders taken
   * @param shipments shipments booked
   * @param shippedOrders orders whose shipment is known
   * @param invoices invoices written
   * @param captured messages that the inbox stored and billing has not handled yet
   * @param handedBack messages that go back to their queue, at once or when their retry is due
   * @param pending messages waiting in the outbox
   * @param dead dead letters of the outbox
   * @param duplicates messages that the inbox skipped, since this node's start
   * @param parked messages that failed too often in their handler
   * @param quarantined messages with a known id but other content
   */
  public record Totals(
      long orders,
      long shipments,
      long shippedOrders,
      long invoices,
      long captured,
      long handedBack,
      long pending,
      long dead,
      long duplicates,
      long parked,
      long quarantined) {}

  /**
   * Which running application this is.
   *
   * @param node another one after each start
   */
  public record Who(UUID node) {}

  /** The numbers. */
  @GET
  @Path("totals")
  public Totals totals() {
    OrderCounts counts = orders.count();
    List<DestinationStatistics> out = outbox.byDestination();
    List<ConsumerStatistics> in = inbox.byConsumer();
    return new Totals(
        counts.total(),
        shipping.count(),
        counts.shipped(),
        billing.count(),
        in.stream()
            .flatMap(consumer -> consumer.captured().stream())
            .mapToLong(CapturedStatistics::backlog)
            .sum(),
        in.stream().mapToLong(ConsumerStatistics::handedBack).sum(),
        out.stream().mapToLong(DestinationStatistics::pending).sum(),
        out.stream().mapToLong(DestinationStatistics::dead).sum(),
        in.stream().mapToLong(ConsumerStatistics::skipped).sum(),
        in.stream().mapToLong(ConsumerStatistics::parked).sum(),
        in.stream().mapToLong(ConsumerStatistics::quarantined).sum());
  }

  /** Tells this server from another one on the same port. */
  @GET
  @Path("node")
  public Who node() {
    return new Who(node.id());
  }
}
