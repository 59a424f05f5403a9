package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Begins another transaction. */
@Path("refused")
@RequestScoped
@Transactional(Transactional.TxType.REQUIRES_NEW)
public class OfItsOwn {
  @POST
  @Idempotent("refused")
  public String pay() {
    return "paid";
  }
}
