package io.postbox.inbox.interceptor;

import io.postbox.inbox.guard.InboxMeters;
import io.postbox.inbox.log.InboxLog;
import java.util.List;

/**
 * Passes on to all; there may be none of the server's. One that fails hurts neither the others nor
 * the delivery.
 */
record AllMeters(List<InboxMeters> all) implements InboxMeters {
  @Override
  public void count(String consumer, Outcome outcome) {
    for (InboxMeters meter : all) {
      try {
        meter.count(consumer, outcome);
      } catch (RuntimeException failed) {
        InboxLog.meterFailed(consumer, outcome.name(), failed);
      }
    }
  }
}
