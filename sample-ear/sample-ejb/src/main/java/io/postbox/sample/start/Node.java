package io.postbox.sample.start;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;

/** This running application, as opposed to another one that may sit on the same port. */
@ApplicationScoped
public class Node {
  private final UUID id = UUID.randomUUID();

  /** A new value at each start. */
  public UUID id() {
    return id;
  }
}
