package io.postbox.outbox.server;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.common.OperatorAction;
import io.postbox.common.Page;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPayload;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.enqueue.Editor;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.ops.BackgroundActions;
import io.postbox.outbox.ops.DeadLetterQueries;
import io.postbox.outbox.ops.Edits;
import io.postbox.outbox.server.OutboxDatabase.Part;
import io.postbox.outbox.store.OutboxDialect;
import io.postbox.outbox.store.StoredErrors;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Suspends the caller's transaction, and passes on the caller's principal. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class DeadLettersBean implements DeadLetters {
  @Inject OutboxDatabase database;
  @Inject ActionRunnerBean runner;
  @Inject PayloadBeans payloads;

  /** Looked up late, so that the extension can report that enterprise beans are not deployed. */
  @Inject Instance<CallerPrincipal> caller;

  private Part<DeadLetterQueries> queries;
  private Part<Edits> edits;

  @PostConstruct
  void wire() {
    OutboxConfig config = database.config();
    DataSource dataSource = database.dataSource();
    queries =
        database.whenReady(
            dialect ->
                new DeadLetterQueries(config, dataSource, new StoredErrors(payloads.cipher())));
    edits =
        database.whenReady(
            dialect ->
                new Edits(
                    dialect,
                    config,
                    dataSource,
                    new Editor(
                        new PayloadEncoder(
                            config.maxPayload(),
                            new OutboxDialect(dialect).longestText(),
                            String::valueOf, // no edit has an object
                            payloads.cipher(),
                            payloads.loader().isPresent()))));
  }

  @Override
  public List<DeadLetter> find(DeadLetterFilter filter, Page page) {
    return queries.get().find(filter, page);
  }

  @Override
  public Optional<DeadLetter> get(UUID id) {
    return queries.get().get(id);
  }

  @Override
  public DeadLetterPlan plan(DeadLetterFilter filter) {
    return runner.actions().plan(queries.get().plan(filter), caller.get().name());
  }

  @Override
  public long redrive(DeadLetterPlan plan, String reason) {
    BackgroundActions actions = runner.actions();
    OperatorAction started =
        actions.redrive(
            plan.token().id(), plan.perSecond(), Optional.empty(), caller.get().name(), reason);
    return actions.control().untilDone(started).done();
  }

  @Override
  public long discard(DeadLetterPlan plan, String reason) {
    BackgroundActions actions = runner.actions();
    OperatorAction started = actions.discard(plan.token().id(), caller.get().name(), reason);
    return actions.control().untilDone(started).done();
  }

  @Override
  public Optional<DeadLetterPayload> payload(UUID id) {
    return edits.get().payload(id, caller.get().name());
  }

  @Override
  public Optional<EditPreview<DeadLetter>> preview(UUID id, MessageEdit edit) {
    return queries
        .get()
        .get(id)
        .flatMap(letter -> edits.get().preview(letter, edit, caller.get().name()));
  }

  @Override
  public Optional<UUID> edit(UUID id, MessageEdit edit, String reason) {
    return edits.get().edit(id, edit, caller.get().name(), reason);
  }

  @Override
  public Optional<UUID> edit(UUID plan, String key, UUID id, MessageEdit edit, String reason) {
    return edits.get().edit(plan, key, id, edit, caller.get().name(), reason);
  }
}
