package io.postbox.inbox.kept;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.jms.ContentEditor;
import io.postbox.inbox.ops.KeptEdits;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.UUID;

/** The parked messages of the application's consumers. */
@ApplicationScoped
class ParkedMessagesBean extends KeptMessagesBean implements ParkedMessages {
  @Inject InboxDeployment deployment;

  ParkedMessagesBean() {
    super(Kind.PARKED);
  }

  @Override
  public Optional<EditPreview<KeptMessage>> preview(long id, MessageEdit edit) {
    return get(id).flatMap(message -> edits().preview(message, edit, caller()));
  }

  @Override
  public boolean edit(long id, MessageEdit edit, String reason) {
    return edits().edit(id, edit, caller(), reason);
  }

  @Override
  public boolean edit(UUID plan, String key, long id, MessageEdit edit, String reason) {
    return edits().edit(plan, key, id, edit, caller(), reason);
  }

  private KeptEdits edits() {
    return new KeptEdits(
        ready(),
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
