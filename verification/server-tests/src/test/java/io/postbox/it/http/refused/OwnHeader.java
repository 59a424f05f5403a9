package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Wants a repeat to set the first client's cookie. */
@Path("refused")
@RequestScoped
public class OwnHeader {
  @POST
  @Idempotent(value = "refused", headers = "Set-Cookie")
  public String pay() {
    return "paid";
  }
}
