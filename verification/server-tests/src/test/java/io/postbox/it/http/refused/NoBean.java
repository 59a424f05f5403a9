package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.ws.rs.POST;

/** A part of a resource, which that makes itself. */
public class NoBean {
  @POST
  @Idempotent("refused")
  public String pay() {
    return "paid";
  }
}
