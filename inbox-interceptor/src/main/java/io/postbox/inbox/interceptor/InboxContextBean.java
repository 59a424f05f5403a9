package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxContext;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.inbox.receiver.HandlerContext;
import io.postbox.inbox.receiver.OutsideEffects;
import io.postbox.inbox.startup.InboxDatabase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;

/** Gives a handler access to the message that it handles. */
@Dependent
class InboxContextBean {

  @Produces
  @ApplicationScoped
  InboxContext context(
      InboxDatabase database, SuspendedTransaction suspended, PayloadReaderBean payloads) {
    return new HandlerContext(
        new OutsideEffects(database.config().service(), new JdbcEffectStore(database)),
        suspended,
        payloads.reader());
  }
}
