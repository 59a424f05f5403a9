package io.postbox.sample.web;

import io.postbox.sample.events.Trouble;
import io.postbox.sample.orders.PlacedOrder;
import io.postbox.sample.trouble.Rush;
import io.postbox.sample.trouble.Troubles;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Causes troubles, so that a visitor can watch what Postbox does about them. Only the sample has
 * this, and nobody needs to log in for it: nothing here touches other messages than the sample's.
 */
@Path("troubles")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
public class TroubleResource {
  private static final String CONSOLE = "/postbox/";

  /** An article of which there is plenty. */
  private static final String SKU = "BOOK-1";

  @Inject Troubles troubles;

  @Inject
  @ConfigProperty(name = "postbox.console.enabled", defaultValue = "false")
  boolean hasConsole;

  /** Set by demonstration.xml, and so only where its user can log in. */
  @Inject
  @ConfigProperty(name = "sample.demonstration.user")
  Optional<String> user;

  /** On some servers it is that of their management. */
  @Inject
  @ConfigProperty(name = "sample.health.port")
  Optional<Integer> healthPort;

  /** On some servers it is not that of MicroProfile. */
  @Inject
  @ConfigProperty(name = "sample.metrics.path")
  Optional<String> metricsPath;

  /**
   * The present troubles.
   *
   * @param console the console's address, if it is switched on
   * @param user the demonstration user, whose password is the same, if the server has one
   * @param healthPort where the server tells health and metrics, if not where the sample is
   * @param metricsPath where it tells metrics, if not at {@code /metrics}
   * @param now the troubles
   */
  public record State(
      Optional<String> console,
      Optional<String> user,
      Optional<Integer> healthPort,
      Optional<String> metricsPath,
      Troubles.State now) {}

  /** The present troubles. */
  @GET
  public State state() {
    return new State(
        hasConsole ? Optional.of(CONSOLE) : Optional.empty(),
        hasConsole ? user : Optional.empty(),
        healthPort,
        metricsPath,
        troubles.state());
  }

  /** An order whose handler fails at the first attempt. */
  @POST
  @Path("handler-fails-once")
  public Response failsOnce() {
    return placed(Trouble.FAILS_ONCE);
  }

  /** An order whose handler fails until somebody mends it. */
  @POST
  @Path("handler-fails")
  public Response fails() {
    return placed(Trouble.FAILS_ALWAYS);
  }

  /** Mends that handler. */
  @POST
  @Path("handler-fails/mend")
  public State mend() {
    troubles.mend();
    return state();
  }

  /** An order that goes to a destination that is not there. */
  @POST
  @Path("missing-destination")
  public Response missingDestination() {
    return placed(Trouble.NO_DESTINATION);
  }

  /** Pauses the relay for shipping. */
  @POST
  @Path("pause")
  public State pause() {
    troubles.pause();
    return state();
  }

  /** Resumes it. */
  @POST
  @Path("resume")
  public State resume() {
    troubles.resume();
    return state();
  }

  /** Places a thousand orders in the background: 202, or 409 while another thousand is placed. */
  @POST
  @Path("thousand-orders")
  public Response thousandOrders() {
    return troubles.rush()
        ? Response.accepted(state()).build()
        : new ApiError(
                "A rush of " + Rush.ORDERS + " orders is under way; wait until they are placed.")
            .as(409)
            .build();
  }

  private Response placed(Trouble trouble) {
    PlacedOrder order = troubles.cause(trouble, SKU);
    return Response.status(Response.Status.CREATED)
        .entity(new OrdersResource.Placed(order.orderId(), order.messageId()))
        .build();
  }
}
