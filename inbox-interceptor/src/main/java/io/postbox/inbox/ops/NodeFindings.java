package io.postbox.inbox.ops;

import io.postbox.common.check.Finding;
import java.util.Collection;
import java.util.List;

/** The names of what this node's guarantee check found, for its heartbeat. Thread-safe. */
public final class NodeFindings {
  private volatile List<String> names = List.of();

  /** Replaces the findings. */
  public void are(Collection<Finding> findings) {
    names = findings.stream().map(Finding::name).toList();
  }

  /** The names; none before the check. */
  public List<String> names() {
    return names;
  }
}
