package io.postbox.inbox.kept;

import io.postbox.common.Page;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPayload;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.ops.KeptActions;
import io.postbox.inbox.ops.KeptQueries;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.KeptContents;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Reads, redrives and discards kept messages of one kind, for the caller and outside of the
 * caller's transaction. Thread-safe.
 *
 * @param <M> the API's view of a message
 */
abstract class KeptMessagesBean<M> {
  @Inject InboxDatabase database;
  @Inject CallerPrincipal caller;
  @Inject ActionRunnerBean runner;
  @Inject ApplicationContextBean context;

  private final Kind kind;
  private final Queries<M> queries;

  /** Creates the queries of a kind. */
  interface Queries<M> {
    KeptQueries<M> in(InboxConfig config, DataSource dataSource, KeptContents contents);
  }

  KeptMessagesBean(Kind kind, Queries<M> queries) {
    this.kind = kind;
    this.queries = queries;
  }

  public List<M> find(KeptFilter filter, Page page) {
    return queries().find(filter, page);
  }

  public Optional<M> get(long id) {
    return queries().get(id);
  }

  public Optional<KeptPayload> payload(long id) {
    return queries().payload(id, caller.name());
  }

  public KeptPlan plan(KeptFilter filter) {
    return runner.actions().plan(queries().plan(filter), caller.name());
  }

  public Redriven redrive(KeptPlan plan, String reason) {
    return redrive(plan, ReplyOnRedrive.KEEP, reason);
  }

  public Redriven redrive(KeptPlan plan, ReplyOnRedrive replies, String reason) {
    return actions().redrive(plan, replies, caller.name(), reason);
  }

  public long discard(KeptPlan plan, String reason) {
    return actions().discard(plan, caller.name(), reason);
  }

  private KeptQueries<M> queries() {
    requireTables();
    return queries.in(database.config(), database.dataSource(), database.contents());
  }

  private KeptActions actions() {
    context.get().enteredByComponent();
    return new KeptActions(kind, runner.actions());
  }

  void requireTables() {
    if (database.stores().isEmpty()) {
      throw new InboxException(
          "Kept messages cannot be read, because the inbox is not ready: " + database.problem(),
          null);
    }
  }
}
