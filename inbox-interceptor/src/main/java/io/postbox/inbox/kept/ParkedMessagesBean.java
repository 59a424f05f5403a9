package io.postbox.inbox.kept;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ParkedMessage;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.jms.ContentEditor;
import io.postbox.inbox.ops.KeptEdits;
import io.postbox.inbox.ops.KeptQueries;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.UUID;

/** The parked messages of the application's consumers. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class ParkedMessagesBean extends KeptMessagesBean<ParkedMessage> implements ParkedMessages {
  @Inject InboxDeployment deployment;

  ParkedMessagesBean() {
    super(Kind.PARKED, KeptQueries::parked);
  }

  @Override
  public Optional<EditPreview<ParkedMessage>> preview(long id, MessageEdit edit) {
    return get(id).flatMap(message -> edits().preview(message, edit, caller.name()));
  }

  @Override
  public boolean edit(long id, MessageEdit edit, String reason) {
    return edits().edit(id, edit, caller.name(), reason);
  }

  @Override
  public boolean edit(UUID plan, String key, long id, MessageEdit edit, String reason) {
    return edits().edit(plan, key, id, edit, caller.name(), reason);
  }

  private KeptEdits edits() {
    requireTables();
    return new KeptEdits(
        database.dialect().orElseThrow(),
        database.config(),
        database.dataSource(),
        database.contents(),
        (consumer, old, edit) ->
            ContentEditor.edited(
                old,
                edit,
                deployment.consumersOf(consumer),
                database.config().of(consumer).maxBody()),
        ContentEditor::propertyNames);
  }
}
