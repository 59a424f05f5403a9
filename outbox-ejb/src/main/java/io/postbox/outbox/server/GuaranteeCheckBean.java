package io.postbox.outbox.server;

import io.postbox.common.check.Finding;
import io.postbox.common.platform.Platforms;
import io.postbox.common.platform.ServerFacts;
import io.postbox.common.platform.TransactionKind;
import io.postbox.common.server.ServerObjects;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.outbox.check.GuaranteeRules;
import io.postbox.outbox.check.PayloadFacts;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.relay.Relay;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.store.SwitchStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** The guarantee check of this node, made once when the tables are in order. */
@ApplicationScoped
class GuaranteeCheckBean {
  @Inject OutboxDatabase database;
  @Inject PayloadBeans payloads;
  @Inject RelayBean relay;

  private volatile List<Finding> findings = List.of();
  private volatile List<String> notChecked = List.of();
  private boolean isDone;
  private boolean hasFailed;

  /** The names of the findings for which the server cannot be asked; none before the check. */
  List<String> notChecked() {
    return notChecked;
  }

  /** The findings, of which none is there before the check, and what came up since. */
  List<Finding> findings() {
    return Stream.concat(findings.stream(), relay.waiting().stream()).toList();
  }

  /**
   * Checks unless that is done, or the server does not tell its settings yet. Called in the
   * module's own naming context, outside a transaction.
   */
  synchronized void checkOnce() {
    if (isDone || !Platforms.here().tellsSettings()) {
      return;
    }
    try (Connection connection = database.dataSource().getConnection()) {
      DatabaseFacts facts =
          Schema.inspection(database.dialect(), database.config().tables()).facts(connection);
      ServerFacts server =
          ServerObjects.facts(
              database.config().dataSource(),
              database.config().connectionFactory(),
              TransactionKind.OF_APPLICATION);
      boolean isAnyLeft =
          database.config().relay().isCdc()
              && new SwitchStore(database.dialect(), database.config().tables())
                  .isAnyWaiting(connection);
      notChecked = GuaranteeRules.notChecked(database.config(), server);
      findings =
          Stream.of(
                  GuaranteeRules.findings(
                      database.config(), facts, server, payloadFacts(database.config()), isAnyLeft),
                  payloads.cipherFindings())
              .flatMap(List::stream)
              .toList();
      String service = database.config().service();
      findings.forEach(found -> OutboxLog.SHARED.finding(service, found.name(), found.text()));
      isDone = true;
    } catch (SQLException failed) {
      if (!hasFailed) { // once, and not at every poll
        hasFailed = true;
        OutboxLog.SHARED.guaranteeCheckFailed(failed);
      }
    }
  }

  private PayloadFacts payloadFacts(OutboxConfig config) {
    boolean loads = payloads.loader().isPresent();
    boolean opens = loads || payloads.cipher().isPresent();
    return opens
        ? new PayloadFacts(Relay.longestOpening(config), loads ? Relay.loadsAtOnce(config) : 0)
        : PayloadFacts.NONE;
  }
}
