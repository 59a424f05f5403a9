package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.ws.rs.POST;

/** What JAX-RS takes annotations from, and CDI does not. */
public interface PayApi {
  @POST
  @Idempotent("refused")
  String pay();
}
