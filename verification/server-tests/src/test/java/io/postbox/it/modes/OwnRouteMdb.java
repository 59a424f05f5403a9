package io.postbox.it.modes;

import io.postbox.inbox.jta.TransactionBoundary;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.ArrayList;
import java.util.List;

/** Answers when a transaction of its own has committed, as the interceptor does. */
@MessageDriven
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class OwnRouteMdb implements MessageListener {
  @Inject TransactionBoundary transaction;

  @Override
  public void onMessage(Message message) {
    List<Runnable> afterCommit = new ArrayList<>();
    try {
      transaction.call(
          () -> {
            if (Answering.handle(message, afterCommit::add)) {
              throw new IllegalStateException("the handler fails");
            }
            return message;
          },
          (committed, cause) -> {},
          afterCommit);
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }
}
