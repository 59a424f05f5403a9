package io.postbox.inbox.kept;

import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.QuarantinedMessage;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.ops.KeptQueries;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** The quarantined messages of the application's consumers. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class QuarantinedMessagesBean extends KeptMessagesBean<QuarantinedMessage>
    implements QuarantinedMessages {
  QuarantinedMessagesBean() {
    super(
        Kind.QUARANTINED,
        (config, dataSource, contents) ->
            KeptQueries.quarantined(config, dataSource, contents, StoredMessage::text));
  }
}
