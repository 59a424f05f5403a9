package io.postbox.inbox.ops;

import io.postbox.common.check.Finding;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names of what this node's guarantee check found, and of what came up since, for its
 * heartbeat. Thread-safe.
 */
public final class NodeFindings {
  private volatile List<String> names = List.of();
  private volatile List<String> since = List.of();
  private volatile List<String> notChecked = List.of();

  /** Replaces the names of the findings for which the server cannot be asked. */
  public void areNotChecked(List<String> unknown) {
    notChecked = List.copyOf(unknown);
  }

  /** The names of the findings for which the server cannot be asked; none before the check. */
  public List<String> notChecked() {
    return notChecked;
  }

  /** Replaces the findings of the check. */
  public void are(Collection<Finding> findings) {
    names = findings.stream().map(Finding::name).toList();
  }

  /** Replaces those that came up since. */
  public void cameUp(Collection<Finding> findings) {
    since = findings.stream().map(Finding::name).toList();
  }

  /** The names of all. */
  public List<String> names() {
    return Stream.concat(names.stream(), since.stream()).toList();
  }
}
