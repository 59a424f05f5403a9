package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.concurrent.Asynchronous;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Runs on another thread. */
@Path("refused")
@RequestScoped
public class Apart {
  @POST
  @Asynchronous
  @Idempotent("refused")
  public void pay() {}
}
