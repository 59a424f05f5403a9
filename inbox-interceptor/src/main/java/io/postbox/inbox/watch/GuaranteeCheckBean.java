package io.postbox.inbox.watch;

import io.postbox.common.check.Finding;
import io.postbox.common.platform.Platforms;
import io.postbox.common.platform.ServerFacts;
import io.postbox.common.platform.TransactionKind;
import io.postbox.common.server.ServerObjects;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.NodeTable;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxNode.RunningConsumer;
import io.postbox.inbox.check.ConsumerKeyRules;
import io.postbox.inbox.check.GuaranteeRules;
import io.postbox.inbox.check.RetryRouteRules;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.metrics.InboxMeters;
import io.postbox.inbox.ops.NodeDetails;
import io.postbox.inbox.ops.NodeFindings;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.NodeStore;
import io.postbox.inbox.store.RetentionStore;
import io.postbox.inbox.store.RetentionStore.Kept;
import io.postbox.inbox.store.Schema;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** The guarantee check of this node, made once when the tables are in order. */
@ApplicationScoped
class GuaranteeCheckBean {
  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject SuspendedTransaction suspended;
  @Inject NodeFindings reported;
  @Inject KeptCountBean counts;
  @Inject InboxMeters meters;

  private volatile List<Finding> findings = List.of();
  private volatile List<Finding> onWayBack = List.of();
  private boolean isDone;
  private boolean hasFailed;

  void startUp(@Observes Startup event) {
    meters.show(
        "findings",
        "Findings of the inbox's guarantee check when this node started (IBX0030)",
        () -> findings().size());
    checkOnce();
  }

  /**
   * The findings, of which none is there before the check, and what came up since. Missing JNDI
   * names are looked up again, because they can be defined while the application runs.
   */
  List<Finding> findings() {
    if (!onWayBack.isEmpty()) {
      onWayBack = lookAtWayBack();
    }
    List<Finding> checked = Stream.concat(findings.stream(), onWayBack.stream()).toList();
    reported.are(checked);
    return Stream.concat(checked.stream(), counts.cameUp().stream()).toList();
  }

  /**
   * Checks, unless it has checked already, or the tables are not in order yet, or the server does
   * not tell its settings yet.
   */
  synchronized void checkOnce() {
    if (!isDone && database.stores().isPresent() && Platforms.here().tellsSettings()) {
      suspended.run(this::check);
    }
  }

  private void check() {
    InboxConfig config = database.config();
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(true);
      DatabaseFacts facts =
          Schema.inspection(Dialect.of(connection, "inbox"), config.tables()).facts(connection);
      ServerFacts server =
          ServerObjects.facts(
              config.dataSource(), config.connectionFactory(), TransactionKind.OF_CONTAINER);
      reported.areNotChecked(GuaranteeRules.notChecked(server));
      findings =
          Stream.of(
                  GuaranteeRules.findings(config, deployment.annotations(), facts, server).stream(),
                  ConsumerKeyRules.findings(config, deployment.deployedConsumers()).stream(),
                  ConsumerKeyRules.forgotten(
                      new RetentionStore(facts.dialect(), config.tables())
                          .consumers(connection, Kept.MESSAGE),
                      deployment.remembering(),
                      elsewhere(connection, config))
                      .stream(),
                  database.cipherFindings().stream(),
                  RetryRouteRules.unchosenFactory(
                      config,
                      deployment.consumers(),
                      RetryRouteInspection.atOtherBrokers(config, deployment.destinations()))
                      .stream())
              .flatMap(each -> each)
              .toList();
      onWayBack = lookAtWayBack();
      findings()
          .forEach(found -> InboxLog.SHARED.finding(config.service(), found.name(), found.text()));
      isDone = true;
    } catch (SQLException | InboxException failed) {
      if (!hasFailed) { // once, not at every call
        hasFailed = true;
        InboxLog.SHARED.guaranteeCheckFailed(failed);
      }
    }
  }

  /** The consumers of the nodes that are alive. */
  private static List<String> elsewhere(Connection connection, InboxConfig config)
      throws SQLException {
    return new NodeStore(Dialect.of(connection, "inbox"), config.tables())
        .list(connection).stream()
            .filter(NodeTable.Row::isAlive)
            .map(NodeDetails::fromRow)
            .flatMap(node -> node.consumers().stream())
            .map(RunningConsumer::consumer)
            .toList();
  }

  private List<Finding> lookAtWayBack() {
    InboxConfig config = database.config();
    return RetryRouteRules.findings(
        config,
        deployment.consumers(),
        RetryRouteInspection.facts(config, deployment.destinations()));
  }
}
