package io.postbox.inbox.interceptor;

import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;

/** The workers of a node without a server. */
public final class TestWorkQueues {
  private TestWorkQueues() {}

  public static WorkQueues of(InboxDatabase database, InboxDeployment deployment) {
    WorkQueues queues = new WorkQueues();
    queues.database = database;
    queues.deployment = deployment;
    return queues;
  }
}
