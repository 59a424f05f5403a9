package io.postbox.inbox.ops;

import io.postbox.common.check.Finding;
import java.util.Collection;
import java.util.List;

/** The names of what this node's guarantee check found, for its heartbeat. Thread-safe. */
public final class NodeFindings {
  private volatile List<String> names = List.of();

  private volatile List<String> notChecked = List.of();

  /** Replaces the names of the findings for which the server cannot be asked. */
  public void areNotChecked(List<String> unknown) {
    notChecked = List.copyOf(unknown);
  }

  /** The names of the findings for which the server cannot be asked; none before the check. */
  public List<String> notChecked() {
    return notChecked;
  }

  /** Replaces the findings. */
  public void are(Collection<Finding> findings) {
    names = findings.stream().map(Finding::name).toList();
  }

  /** The names; none before the check. */
  public List<String> names() {
    return names;
  }
}
