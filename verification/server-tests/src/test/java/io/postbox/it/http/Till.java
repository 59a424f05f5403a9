package io.postbox.it.http;

import io.postbox.inbox.http.Idempotent;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Pays, once for each key. */
@Path("payments")
@ApplicationScoped
public class Till {
  @Inject Purse purse;

  @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
  TransactionSynchronizationRegistry registry;

  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> entered = new ConcurrentHashMap<>();

  /** Makes the payment with this body wait until it is let go. */
  void hold(String body) {
    entered.put(body, new CountDownLatch(1));
    gates.put(body, new CountDownLatch(1));
  }

  void awaitEntered(String body) throws InterruptedException {
    if (!entered.get(body).await(20, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no payment has begun");
    }
  }

  void letGo(String body) {
    gates.get(body).countDown();
  }

  /** Pays, and responds with a new number each time it runs. */
  @POST
  @Path("{status}")
  @Produces("text/plain")
  @Idempotent(value = "till", anonymous = true)
  public Response pay(@PathParam("status") int status, String body)
      throws SQLException, InterruptedException {
    purse.pay(body);
    CountDownLatch gate = gates.get(body);
    if (gate != null) {
      entered.get(body).countDown();
      if (!gate.await(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody let it go");
      }
    }
    if (status == 599) {
      throw new IllegalStateException("broken");
    }
    if (status == 404) {
      throw new WebApplicationException(404);
    }
    String number = UUID.randomUUID().toString();
    return Response.status(status)
        .location(URI.create("payments/" + number))
        .header("Link", "</payments>; rel=collection")
        .header("Link", "</>; rel=home")
        .entity(number)
        .build();
  }

  /** Like {@link #pay}, for users who have logged in. */
  @POST
  @Path("own/{status}")
  @Produces("text/plain")
  @Idempotent("till")
  public Response payOwn(@PathParam("status") int status, String body) throws SQLException {
    purse.pay(body);
    return Response.status(status).entity(UUID.randomUUID().toString()).build();
  }

  /** Like {@link #payOwn}, for those whom the application's filters know. */
  @POST
  @Path("known/{status}")
  @Produces("text/plain")
  @Idempotent("till")
  public Response payKnown(@PathParam("status") int status, String body) throws SQLException {
    return payOwn(status, body);
  }

  @POST
  @Path("overloaded/text")
  @Idempotent(value = "till", anonymous = true)
  public Response overloaded(String body) throws SQLException {
    purse.pay(body);
    return Response.ok(UUID.randomUUID().toString()).build();
  }

  @POST
  @Path("overloaded/bytes")
  @Idempotent(value = "till", anonymous = true)
  public Response overloaded(byte[] body) throws SQLException {
    return overloaded(new String(body, StandardCharsets.UTF_8));
  }

  @POST
  @Path("form/fields")
  @Consumes("application/x-www-form-urlencoded")
  @Idempotent(value = "till", anonymous = true)
  public Response payForm(@FormParam("body") String body, @FormParam("for") String purpose)
      throws SQLException {
    return overloaded(body);
  }

  /** Responds as if all were well. */
  @POST
  @Path("failing/undone")
  @Idempotent(value = "till", anonymous = true)
  public Response undone(String body) throws SQLException {
    purse.pay(body);
    registry.setRollbackOnly();
    return Response.ok("paid").build();
  }

  @POST
  @Path("refusable/{status}")
  @Produces("text/plain")
  @Idempotent(
      value = "till",
      remember4xx = true,
      required = false,
      maxResponseBytes = 40,
      anonymous = true)
  public Response refusable(@PathParam("status") int status, String body) throws SQLException {
    purse.pay(body);
    return Response.status(status).entity(UUID.randomUUID() + (status == 202 ? body : "")).build();
  }
}
