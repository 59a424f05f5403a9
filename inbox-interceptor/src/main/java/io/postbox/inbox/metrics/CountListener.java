package io.postbox.inbox.metrics;

import io.postbox.inbox.ops.KeptCounts;

/** Told each count of what is kept aside. */
public interface CountListener {

  /** Somebody has counted. */
  void counted(KeptCounts counts);
}
