package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.sse.SseEventSink;

/** Sends events. */
@Path("refused")
@RequestScoped
public class Sending {
  @POST
  @Idempotent("refused")
  public void pay(@Context SseEventSink events) {
    events.close();
  }
}
