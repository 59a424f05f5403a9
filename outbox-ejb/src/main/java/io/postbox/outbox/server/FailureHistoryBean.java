package io.postbox.outbox.server;

import io.postbox.common.ops.FailureQueries;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureGroup;
import io.postbox.outbox.FailureHistory;
import io.postbox.outbox.store.FailureViews;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

@ApplicationScoped
class FailureHistoryBean extends OperatorBean implements FailureHistory {
  @Override
  public List<FailureGroup> groups(String after, int size) {
    return queries().groups(after, size);
  }

  @Override
  public List<FailedAttempt> of(UUID messageId) {
    return queries().of(messageId);
  }

  private FailureQueries<FailedAttempt, FailureGroup> queries() {
    return new FailureQueries<>(
        database.calls(),
        new FailureViews(database.dialect(), database.config().tables(), errors()));
  }
}
