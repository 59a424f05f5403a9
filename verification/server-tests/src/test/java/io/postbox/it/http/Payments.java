package io.postbox.it.http;

import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.UUID;

/** Knows nothing of keys. */
public abstract class Payments {
  @Inject Purse purse;

  @POST
  @Path("inherited")
  public Response pay(String body) throws SQLException {
    purse.pay(body);
    return Response.ok(UUID.randomUUID().toString()).build();
  }
}
