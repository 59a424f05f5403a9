package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** A plain bean, with a transaction of each kind. */
@ApplicationScoped
public class Quiet {
  @Inject Effects effects;

  @Inbox("quiet-REQUIRED")
  @Transactional
  public void required(Message message) {
    effects.leave(message);
  }

  @Inbox("quiet-REQUIRES_NEW")
  @Transactional(TxType.REQUIRES_NEW)
  public void requiresNew(Message message) {
    effects.leave(message);
  }

  @Inbox("quiet-NOT_SUPPORTED")
  @Transactional(TxType.NOT_SUPPORTED)
  public void notSupported(Message message) {
    effects.leave(message);
  }

  @Inbox("quiet-NEVER")
  @Transactional(TxType.NEVER)
  public void never(Message message) {
    effects.leave(message);
  }

  @Inbox("quiet-SUPPORTS")
  @Transactional(TxType.SUPPORTS)
  public void supports(Message message) {
    effects.leave(message);
  }

  /** Marks nothing itself. */
  @Inbox("quiet-MARKED_LATE")
  @Transactional
  @MarkedLate
  public void markedLate(Message message) {
    effects.leave(message);
  }
}
