package io.postbox.it.letters;

import io.postbox.common.Page;
import io.postbox.common.Paused;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.OutboxPolicies;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.RelayControl;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.List;

/** An enterprise bean with a transaction, as an application's own operations page would have. */
@Stateless
public class Operator {
  @Inject DeadLetters letters;
  @Inject RelayControl relay;
  @Inject Outbox outbox;
  @Inject OutboxPolicies policies;
  @Resource SessionContext context;

  /** Dead letters. */
  public List<DeadLetter> find() {
    return letters.find(DeadLetterFilter.all(), Page.first(10));
  }

  /** Puts all back to work. */
  public long redrive(String reason) {
    return letters.redrive(letters.plan(DeadLetterFilter.all()), reason);
  }

  /** Gives all up, in a transaction that rolls back. */
  public long discardAndRollBack(String reason) {
    context.setRollbackOnly();
    return letters.discard(letters.plan(DeadLetterFilter.all()), reason);
  }

  /** Enqueues, in a transaction of its own. */
  public void send(String destination, String text) {
    outbox.enqueue(OutboxMessage.to(destination).text(text));
  }

  /** Enqueues a message whose payload nobody has, in a transaction of its own. */
  public void sendLost(String destination, String key) {
    outbox.enqueue(OutboxMessage.to(destination).orderedBy(key).reference("shelf", 1));
  }

  /** Enqueues behind others with the key, in a transaction of its own. */
  public void sendBehind(String destination, String key, String text) {
    outbox.enqueue(OutboxMessage.to(destination).orderedBy(key).text(text));
  }

  /** Sets a policy, in a transaction that rolls back. */
  public void setPolicyAndRollBack(String destination, OutboxPolicy policy, String reason) {
    context.setRollbackOnly();
    policies.set(destination, policy, reason);
  }

  /** Pauses a destination. */
  public boolean pause(String destination, String reason) {
    return relay.pause(destination, reason);
  }

  /** Resumes it. */
  public boolean resume(String destination, String reason) {
    return relay.resume(destination, reason);
  }

  /** The paused destinations. */
  public List<Paused> paused() {
    return relay.paused();
  }
}
