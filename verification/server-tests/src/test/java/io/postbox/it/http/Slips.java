package io.postbox.it.http;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.RedirectionException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.EntityPart;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Pays, and goes on in an unusual way. */
@Path("payments/slips")
@ApplicationScoped
public class Slips {
  @Inject Purse purse;

  private final AtomicInteger payments = new AtomicInteger();

  /** Throws what JAX-RS makes a response of, or a mapper. */
  @POST
  @Path("throwing/{status}")
  @Idempotent(value = "till", remember4xx = true, anonymous = true)
  public Response payAndThrow(@PathParam("status") int status, String body) throws SQLException {
    purse.pay(body);
    if (status == 303) {
      throw new RedirectionException(303, URI.create("payments"));
    }
    if (status == 202) {
      throw new OutOfPaper();
    }
    throw new WebApplicationException(status);
  }

  /** Its response cannot be written, and a mapper makes a refusal of that. */
  @POST
  @Path("unwritten")
  @Produces("text/plain")
  @Idempotent(value = "till", remember4xx = true, anonymous = true)
  public Unwritable payUnwritable(String body) throws SQLException {
    purse.pay(body);
    return new Unwritable();
  }

  @POST
  @Path("bodiless/{status}")
  @Idempotent(value = "till", anonymous = true)
  public Response bodiless(@PathParam("status") int status) {
    return Response.status(status).build();
  }

  /** As the server answers by itself. */
  @POST
  @Path("plain/{status}")
  public Response plain(@PathParam("status") int status) {
    return Response.status(status).build();
  }

  @POST
  @Path("compressed")
  @Produces("application/json")
  @Compressed
  @Idempotent(value = "till", headers = "X-Total", anonymous = true)
  public Response payCompressed(String body) throws SQLException {
    purse.pay(body);
    return Response.ok("{\"number\":\"" + UUID.randomUUID() + "\"}")
        .header("X-Total", payments.incrementAndGet())
        .build();
  }

  @POST
  @Path("parts")
  @Consumes("multipart/form-data")
  @Idempotent(value = "till", anonymous = true)
  public Response payParts(List<EntityPart> parts) throws SQLException, IOException {
    for (EntityPart part : parts) {
      purse.pay(part.getContent(String.class));
    }
    return Response.ok(UUID.randomUUID().toString()).build();
  }
}
