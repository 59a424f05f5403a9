package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.StreamingOutput;

/** Streams its response. */
@Path("refused")
@RequestScoped
public class Streaming {
  @POST
  @Idempotent("refused")
  public StreamingOutput pay() {
    return out -> out.write(1);
  }
}
