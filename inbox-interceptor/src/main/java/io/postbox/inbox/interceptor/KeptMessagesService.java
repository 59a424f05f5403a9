package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ParkedMessage;
import io.postbox.inbox.QuarantinedMessage;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.ops.KeptActions;
import io.postbox.inbox.ops.KeptQueries;
import io.postbox.inbox.ops.PlanTokens;
import io.postbox.inbox.store.KeptContents;
import java.time.InstantSource;
import javax.sql.DataSource;

/**
 * What there is to be done with messages of one kind. Thread-safe.
 *
 * @param <M> what a user sees of one
 */
final class KeptMessagesService<M> {
  private final InboxExtension extension;
  private final Kind kind;
  private final Reading<M> reading;

  private KeptMessagesService(InboxExtension extension, Kind kind, Reading<M> reading) {
    this.extension = extension;
    this.kind = kind;
    this.reading = reading;
  }

  /** How messages of a kind are read. */
  private interface Reading<M> {
    KeptQueries<M> in(InboxConfig config, DataSource dataSource, KeptContents contents);
  }

  static KeptMessagesService<ParkedMessage> parked(InboxExtension extension) {
    return new KeptMessagesService<>(extension, Kind.PARKED, KeptQueries::parked);
  }

  static KeptMessagesService<QuarantinedMessage> quarantined(InboxExtension extension) {
    return new KeptMessagesService<>(extension, Kind.QUARANTINED, KeptQueries::quarantined);
  }

  KeptActions actions() {
    InboxDatabase installation = extension.deployment().installation();
    requireTables(installation);
    return new KeptActions(
        kind,
        installation.config(),
        installation.dataSource(),
        installation.ids(),
        installation.contents(),
        new JmsKeptSender(
            installation.config(),
            extension.deployment()::consumersOf,
            new Proofs(installation.config().service(), installation::secret)),
        tokens());
  }

  /** Makes and checks the tokens of the service's plans. */
  PlanTokens tokens() {
    InboxDatabase installation = extension.deployment().installation();
    requireTables(installation);
    return new PlanTokens(
        installation.config().service(), installation.secret(), InstantSource.system());
  }

  KeptQueries<M> queries() {
    InboxDatabase installation = extension.deployment().installation();
    requireTables(installation);
    return reading.in(installation.config(), installation.dataSource(), installation.contents());
  }

  private static void requireTables(InboxDatabase installation) {
    if (installation.stores().isEmpty()) {
      throw new InboxException(
          "What is kept aside cannot be read, because the inbox is not ready: "
              + installation.problem(),
          null);
    }
  }
}
