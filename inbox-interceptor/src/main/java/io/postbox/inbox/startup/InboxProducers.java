package io.postbox.inbox.startup;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.ops.Counters;
import io.postbox.inbox.ops.NodeFindings;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;

/** Produces the parts that the extension created at the start, for the beans that use them. */
@ApplicationScoped
class InboxProducers {
  private final Counters counters = new Counters();
  private final NodeFindings findings = new NodeFindings();

  @Inject InboxExtension extension;

  @Produces
  @Dependent
  InboxDatabase database() {
    return extension.start().database();
  }

  @Produces
  @Dependent
  InboxConfig config() {
    return extension.start().database().config();
  }

  @Produces
  @Dependent
  InboxDeployment deployment() {
    return extension.start().deployment();
  }

  /** The counts of this node's consumers. Not a listener itself, because it would count twice. */
  @Produces
  @Dependent
  @Typed(Counters.class)
  Counters counters() {
    return counters;
  }

  /** The findings of this node's guarantee check. */
  @Produces
  @Dependent
  NodeFindings findings() {
    return findings;
  }
}
