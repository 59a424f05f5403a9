package io.postbox.inbox.metrics;

import io.postbox.inbox.ops.KeptCounts;

/** Receives each count of the kept messages. */
public interface CountListener {

  /** A node has counted. */
  void counted(KeptCounts counts);
}
