package io.postbox.outbox.server;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.common.Page;
import io.postbox.common.RedrivePace;
import io.postbox.common.StoredPayload;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.enqueue.Editor;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.ops.DeadLetterQueries;
import io.postbox.outbox.ops.Edits;
import io.postbox.outbox.store.OutboxDialect;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

@ApplicationScoped
class DeadLettersBean extends OperatorBean implements DeadLetters {
  @Override
  public List<DeadLetter> find(DeadLetterFilter filter, Page page) {
    return queries().find(filter, page);
  }

  @Override
  public Optional<DeadLetter> get(UUID id) {
    return queries().get(id);
  }

  @Override
  public DeadLetterPlan plan(DeadLetterFilter filter) {
    return actions().plan(queries().plan(filter), caller());
  }

  @Override
  public long redrive(DeadLetterPlan plan, String reason) {
    return done(
        actions()
            .redrive(
                plan.token().id(), RedrivePace.FASTEST.atRate(plan.perSecond()), caller(), reason));
  }

  @Override
  public long discard(DeadLetterPlan plan, String reason) {
    return done(actions().discard(plan.token().id(), caller(), reason));
  }

  @Override
  public Optional<StoredPayload> payload(UUID id) {
    return edits().payload(id, caller());
  }

  @Override
  public Optional<EditPreview<DeadLetter>> preview(UUID id, MessageEdit edit) {
    return queries().get(id).flatMap(letter -> edits().preview(letter, edit, caller()));
  }

  @Override
  public Optional<UUID> edit(UUID id, MessageEdit edit, String reason) {
    return edits().edit(id, edit, caller(), reason);
  }

  @Override
  public Optional<UUID> edit(UUID plan, String key, UUID id, MessageEdit edit, String reason) {
    return edits().edit(plan, key, id, edit, caller(), reason);
  }

  private DeadLetterQueries queries() {
    database.dialect(); // not before the tables are in order
    return new DeadLetterQueries(database.config(), database.dataSource(), errors());
  }

  private Edits edits() {
    PayloadEncoder encoder =
        new PayloadEncoder(
            database.config().maxPayload(),
            new OutboxDialect(database.dialect()).longestText(),
            String::valueOf, // no edit has an object
            payloads.cipher(),
            payloads.loader().isPresent());
    return new Edits(database.tables(), new Editor(encoder));
  }
}
