package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.ws.rs.POST;

/** JAX-RS takes its annotations for a method that overrides its own, and CDI does not. */
public abstract class Payer {
  @POST
  @Idempotent("refused")
  public String pay() {
    return "paid";
  }
}
