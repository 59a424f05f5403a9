package io.postbox.it.http.refused;

import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.Path;

/** Overrides a method that has the annotation. */
@Path("refused")
@RequestScoped
public class Overriding extends Payer {
  @Override
  public String pay() {
    return "paid again";
  }
}
