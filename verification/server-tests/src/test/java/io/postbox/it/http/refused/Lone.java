package io.postbox.it.http.refused;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** Makes its resource itself, although that is a bean as well. */
@ApplicationPath("/api")
public class Lone extends Application {
  @Override
  public Set<Object> getSingletons() {
    return Set.of(new Plain());
  }
}
