package io.postbox.outbox.server;

import io.postbox.common.ops.Part;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.ops.BackgroundActions;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Carries out operators' actions on this node. */
@ApplicationScoped
class ActionRunnerBean {
  @Inject OutboxDatabase database;
  @Inject RelayBean relay;
  @Inject PayloadBeans payloads;

  private Part<BackgroundActions> actions;

  @PostConstruct
  void wire() {
    actions =
        database.whenReady(
            dialect ->
                new BackgroundActions(
                    database.tables(),
                    database.secret(),
                    payloads.cipher().isPresent(),
                    lanes -> relay.wake(lanes, Optional.of(Duration.ZERO)), // letters due at a rate
                    MonotonicClock.started()));
  }

  /** The actions, once the tables are in order. */
  BackgroundActions actions() {
    return actions.get();
  }

  /** Carries out what is due. Called once the tables are in order; returns at once. */
  void runIfDue(Executor executor) {
    actions.get().runner().runIfDue(executor);
  }

  /** Lets the present step end, and takes no more. */
  void stop() {
    actions.ifBuilt().ifPresent(built -> built.runner().stop());
  }
}
