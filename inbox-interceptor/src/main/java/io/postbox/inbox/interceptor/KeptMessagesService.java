package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.ops.KeptActions;
import io.postbox.inbox.ops.KeptQueries;
import io.postbox.inbox.ops.KeptShape;
import io.postbox.inbox.ops.PlanTokens;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What there is to be done with messages of one kind. Thread-safe.
 *
 * @param <M> what a user sees of one
 */
final class KeptMessagesService<M> {
  private final InboxExtension extension;
  private final KeptShape<?, M> shape;
  private @Nullable KeptQueries<?, M> queries;

  KeptMessagesService(InboxExtension extension, KeptShape<?, M> shape) {
    this.extension = extension;
    this.shape = shape;
  }

  KeptActions actions() {
    InboxDatabase installation = extension.installation();
    requireTables(installation);
    return new KeptActions(
        shape.kind(),
        installation.config(),
        installation.dataSource(),
        installation.ids(),
        installation.contents(),
        new JmsKeptSender(
            installation.config(),
            extension::consumersOf,
            new Proofs(installation.config().service(), installation::secret)),
        tokens());
  }

  /** Makes and checks the tokens of the service's plans. */
  PlanTokens tokens() {
    InboxDatabase installation = extension.installation();
    requireTables(installation);
    return new PlanTokens(
        installation.config().service(), installation.secret(), InstantSource.system());
  }

  /** Opened at the first use, because the tables may come late. */
  synchronized KeptQueries<?, M> queries() {
    KeptQueries<?, M> open = queries;
    if (open == null) {
      InboxDatabase installation = extension.installation();
      requireTables(installation);
      if (!Feature.PERSISTENCE.isThere()) {
        throw new InboxException(Feature.PERSISTENCE.sentence(), null);
      }
      open =
          new KeptQueries<>(
              shape, installation.config(), installation.dataSource(), installation.contents());
      queries = open;
    }
    return open;
  }

  synchronized void close() {
    if (queries != null) {
      queries.close();
    }
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
