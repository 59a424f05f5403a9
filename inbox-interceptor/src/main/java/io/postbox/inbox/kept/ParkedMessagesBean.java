package io.postbox.inbox.kept;

import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ParkedMessage;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.ops.KeptQueries;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** The parked messages of the application's consumers. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class ParkedMessagesBean extends KeptMessagesBean<ParkedMessage> implements ParkedMessages {
  ParkedMessagesBean() {
    super(Kind.PARKED, KeptQueries::parked);
  }
}
