package io.postbox.console.outbox;

import io.postbox.common.Erasure;
import io.postbox.console.api.Eraser;
import io.postbox.outbox.OutboxErasure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** The outbox's erasures. */
@ApplicationScoped
public class OutboxEraser implements Eraser {
  @Inject OutboxErasure erasure;

  @Override
  public String module() {
    return "outbox";
  }

  @Override
  public Erasure erasure() {
    return erasure;
  }
}
