package io.postbox.outbox.server;

import io.postbox.common.check.Finding;
import io.postbox.common.ops.Part;
import io.postbox.common.server.ThisNode;
import io.postbox.common.store.NodeTable.Node;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxNodes;
import io.postbox.outbox.log.WatchLog;
import io.postbox.outbox.ops.Nodes;
import io.postbox.outbox.ops.Nodes.Report;
import io.postbox.outbox.ops.Nodes.Self;
import io.postbox.outbox.store.StoredErrors;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reports about this node, and lists all nodes outside of the caller's transaction. */
@ApplicationScoped
class NodesBean implements OutboxNodes {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Inject OutboxDatabase database;
  @Inject RelayBean relay;
  @Inject GuaranteeCheckBean guarantee;
  @Inject PayloadBeans payloads;

  private final InstantSource clock = MonotonicClock.started();
  private Node node;
  private Self self;
  private Part<Nodes> nodes;

  @PostConstruct
  void wire() {
    node = ThisNode.node();
    self =
        new Self(
            node,
            clock.instant(),
            () ->
                new Report(
                    database.config().relay(),
                    relay.status(),
                    guarantee.findings().stream().map(Finding::name).toList(),
                    guarantee.notChecked()));
    nodes =
        database.whenReady(
            dialect -> new Nodes(database.tables(), new StoredErrors(payloads.cipher()), clock));
  }

  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public List<OutboxNode> list() {
    return nodes.get().list();
  }

  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public Optional<String> holder(int partition) {
    return nodes.get().holder(partition);
  }

  /** Starts a report if it is due. Called once the tables are in order; returns at once. */
  void reportIfDue(Executor executor) {
    nodes.get().beatIfDue(executor, self);
  }

  /** Deletes this node's row. Waits for a moment: a hanging database must not block the stop. */
  void leave(ExecutorService executor) {
    nodes.ifBuilt().ifPresent(built -> leave(executor, built));
  }

  private void leave(ExecutorService executor, Nodes built) {
    try {
      executor
          .submit(
              () -> {
                built.leave(node);
                return true;
              })
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RuntimeException failed) {
      WatchLog.nodeNotReported(failed);
    }
  }
}
