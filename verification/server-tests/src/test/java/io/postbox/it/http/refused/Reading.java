package io.postbox.it.http.refused;

import io.postbox.inbox.http.Idempotent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.io.InputStream;

/** Reads the body itself. */
@Path("refused")
@RequestScoped
public class Reading {
  @POST
  @Idempotent("refused")
  public String pay(InputStream body) {
    return "paid";
  }
}
