package io.postbox.inbox.interceptor;

import io.postbox.inbox.ops.KeptCounts;

/** Told each count of what is kept aside. */
interface CountListener {

  /** Somebody has counted. */
  void counted(KeptCounts counts);
}
