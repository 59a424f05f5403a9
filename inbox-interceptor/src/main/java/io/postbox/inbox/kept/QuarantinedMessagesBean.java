package io.postbox.inbox.kept;

import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.QuarantinedMessages;
import jakarta.enterprise.context.ApplicationScoped;

/** The quarantined messages of the application's consumers. */
@ApplicationScoped
class QuarantinedMessagesBean extends KeptMessagesBean implements QuarantinedMessages {
  QuarantinedMessagesBean() {
    super(Kind.QUARANTINED);
  }
}
