package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Responds later. */
@Path("refused")
@RequestScoped
public class Later {
  @POST
  @Idempotent("refused")
  public CompletionStage<String> pay() {
    return CompletableFuture.completedFuture("paid");
  }
}
