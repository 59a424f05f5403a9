package io.postbox.console.api;

import io.postbox.common.Erasure;

/** A module's erasures. A bean where the module is there. */
public interface Eraser {
  /** {@code outbox} or {@code inbox}. */
  String module();

  /** Plans, starts and reports them. */
  Erasure erasure();
}
