package io.postbox.outbox.server;

import io.postbox.common.OperatorAction;
import io.postbox.outbox.ops.BackgroundActions;
import io.postbox.outbox.store.StoredErrors;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

/**
 * What operators call: it suspends the caller's transaction, knows the caller's name for the
 * record, and refuses as long as the tables are not in order. Calls are rare, so their parts are
 * made anew for each.
 */
@Transactional(Transactional.TxType.NOT_SUPPORTED)
abstract class OperatorBean {
  @Inject OutboxDatabase database;
  @Inject ActionRunnerBean runner;
  @Inject PayloadBeans payloads;

  /** Looked up late, so that the extension can report that enterprise beans are not deployed. */
  @Inject Instance<CallerPrincipal> callers;

  String caller() {
    return callers.get().name();
  }

  BackgroundActions actions() {
    return runner.actions();
  }

  /** How many messages an action has changed when it is done. */
  long done(OperatorAction started) {
    return actions().control().untilDone(started).done();
  }

  StoredErrors errors() {
    return new StoredErrors(payloads.cipher());
  }
}
