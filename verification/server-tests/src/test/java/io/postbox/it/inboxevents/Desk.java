package io.postbox.it.inboxevents;

import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome.Status;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Works in one transaction. */
@Stateless
public class Desk {
  @Inject InboxGuard guard;
  @Inject InboxStatistics statistics;

  /** Parks a message, and returns how many are parked before that has committed. */
  public long parkedBeforeTheCommit(InboxRequest request) {
    Status status = guard.handle(request, () -> "handled").status();
    if (status != Status.PARKED) {
      throw new IllegalStateException("it should have been parked: " + status);
    }
    return parked(request.consumer());
  }

  /** How many messages of a consumer are parked. */
  public long parked(String consumer) {
    return statistics.byConsumer().stream()
        .filter(it -> it.consumer().equals(consumer))
        .mapToLong(ConsumerStatistics::parked)
        .sum();
  }
}
