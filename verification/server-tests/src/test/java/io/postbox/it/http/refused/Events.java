package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** Responds with events. */
@Path("refused")
@RequestScoped
@Produces("text/event-stream")
public class Events {
  @POST
  @Idempotent("refused")
  public String pay() {
    return "data: paid";
  }
}
