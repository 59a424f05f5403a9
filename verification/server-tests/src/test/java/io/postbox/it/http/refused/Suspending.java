package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;

/** Suspends its response. */
@Path("refused")
@RequestScoped
public class Suspending {
  @POST
  @Idempotent("refused")
  public void pay(@Suspended AsyncResponse response) {
    response.resume("paid");
  }
}
