package io.postbox.sample.web;

import io.postbox.inbox.http.Idempotent;
import io.postbox.sample.journey.Journey;
import io.postbox.sample.journey.Journeys;
import io.postbox.sample.orders.OrderDetails;
import io.postbox.sample.orders.OrderService;
import io.postbox.sample.orders.PlacedOrder;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.UUID;

/** Place orders, look at them, send their message again. */
@Path("orders")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
public class OrdersResource {
  @Inject OrderService orders;
  @Inject Journeys journeys;

  /**
   * The answer to an order.
   *
   * @param orderId its number
   * @param messageId the message to shipping
   */
  public record Placed(long orderId, UUID messageId) {}

  /**
   * Takes an order: 201 once it is committed, together with its message. A client that does not
   * know whether its order was taken repeats it with the same {@code Idempotency-Key}, and gets the
   * first response. Nobody logs in here, so clients have to choose keys that nobody guesses.
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Idempotent(value = "order-requests", required = false, anonymous = true)
  public Response place(OrderRequest order, @Context UriInfo here) {
    PlacedOrder placed = orders.place(order.sku(), order.quantity());
    return Response.created(
            here.getAbsolutePathBuilder().path(Long.toString(placed.orderId())).build())
        .entity(new Placed(placed.orderId(), placed.messageId()))
        .build();
  }

  /** The latest orders, newest first. */
  @GET
  public List<OrderDetails> latest(@QueryParam("limit") @DefaultValue("20") String limit) {
    return orders.latest(Numbers.limit(limit, 100));
  }

  /** One order. */
  @GET
  @Path("{id}")
  public OrderDetails find(@PathParam("id") String id) {
    return orders.find(orderId(id)).orElseThrow(() -> noSuchOrder(id));
  }

  /** Sends the order's first message again, under the same id; the inbox will skip it. */
  @POST
  @Path("{id}/resend")
  public Response resend(@PathParam("id") String id) {
    long orderId = orderId(id);
    UUID messageId = orders.resend(orderId);
    return Response.accepted(new Placed(orderId, messageId)).build();
  }

  /** Sends another order under the id of this one's message; the inbox will quarantine it. */
  @POST
  @Path("{id}/resend-altered")
  public Response resendAltered(@PathParam("id") String id) {
    long orderId = orderId(id);
    UUID messageId = orders.resendAltered(orderId);
    return Response.accepted(new Placed(orderId, messageId)).build();
  }

  /** How far the order is, station by station. */
  @GET
  @Path("{id}/journey")
  public Journey journey(@PathParam("id") String id) {
    return journeys.of(orderId(id)).orElseThrow(() -> noSuchOrder(id));
  }

  private static long orderId(String id) {
    return Numbers.id(id).orElseThrow(() -> noSuchOrder(id));
  }

  private static NotThereException noSuchOrder(String id) {
    String shown = id.length() <= 40 ? id : id.substring(0, 40) + "…";
    return new NotThereException("There is no order " + shown + ".");
  }
}
