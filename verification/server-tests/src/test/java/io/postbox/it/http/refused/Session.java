package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.ejb.Stateless;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Is a session bean. */
@Path("refused")
@Stateless
public class Session {
  @POST
  @Idempotent("refused")
  public String pay() {
    return "paid";
  }
}
