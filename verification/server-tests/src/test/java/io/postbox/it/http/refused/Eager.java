package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Does not wait for the first request. */
@Path("refused")
@RequestScoped
public class Eager {
  @POST
  @Idempotent(value = "refused", waitMillis = 0)
  public String pay() {
    return "paid";
  }
}
