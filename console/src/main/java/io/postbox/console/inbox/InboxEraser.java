package io.postbox.console.inbox;

import io.postbox.common.Erasure;
import io.postbox.console.api.Eraser;
import io.postbox.inbox.InboxErasure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** The inbox's erasures. */
@ApplicationScoped
public class InboxEraser implements Eraser {
  @Inject InboxErasure erasure;

  @Override
  public String module() {
    return "inbox";
  }

  @Override
  public Erasure erasure() {
    return erasure;
  }
}
