package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Is as it should be. */
@Path("refused")
@RequestScoped
public class Plain {
  @POST
  @Idempotent("refused")
  public String pay() {
    return "paid";
  }
}
