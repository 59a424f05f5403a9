package io.postbox.it.console;

import io.postbox.inbox.InboxGuard;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Has the guard injected, so that consumers of any name may exist in the application. */
@ApplicationScoped
public class Courier {
  @Inject InboxGuard guard;
}
