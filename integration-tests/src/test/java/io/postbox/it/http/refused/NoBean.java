package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Has no scope, so that the server makes it without CDI. */
@Path("refused")
public class NoBean {
  @POST
  @Idempotent("refused")
  public String pay() {
    return "paid";
  }
}
