package io.postbox.inbox.kept;

import io.postbox.inbox.ops.BackgroundActions;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.InboxDatabase;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

/**
 * What operators call: it suspends the caller's transaction, knows the caller's name for the
 * record, and refuses as long as the tables are not in order.
 */
@Transactional(Transactional.TxType.NOT_SUPPORTED)
abstract class OperatorBean {
  @Inject InboxDatabase database;
  @Inject CallerPrincipal principal;
  @Inject ActionRunnerBean runner;
  @Inject ApplicationContextBean context;

  String caller() {
    return principal.name();
  }

  BackgroundActions actions() {
    context.get().enteredByComponent();
    return runner.actions();
  }
}
