package io.postbox.it.http.refused;

import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.Path;

/** Implements an interface that has the annotation. */
@Path("refused")
@RequestScoped
public class ByInterface implements PayApi {
  @Override
  public String pay() {
    return "paid";
  }
}
