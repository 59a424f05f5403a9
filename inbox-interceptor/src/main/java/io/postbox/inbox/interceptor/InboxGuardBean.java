package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxOutcome.Status;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.jms.RequestReader;
import io.postbox.inbox.receiver.DeliveryResult;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Passes messages that arrived without JMS to the core. */
@ApplicationScoped
class InboxGuardBean implements InboxGuard {
  @Inject InboxRuntime runtime;

  @Override
  public <T, X extends Exception> InboxOutcome<T> handle(
      InboxRequest request, Handler<T, X> handler) throws X {
    DirectReply answer = new DirectReply();
    DeliveryResult ending;
    try {
      ending =
          runtime.guard(
              request.consumer(),
              () -> RequestReader.read(request, runtime::keyed),
              answer,
              handler::handle);
    } catch (Exception thrown) {
      @SuppressWarnings("unchecked") // only the handler can throw a checked exception
      X declared = (X) thrown;
      throw declared;
    }
    return new InboxOutcome<>(status(ending.event()), returned(ending), answer.text());
  }

  private static Status status(@Nullable MessageEvent event) {
    if (event instanceof MessageProcessed) {
      return Status.PROCESSED;
    }
    if (event instanceof MessageSkipped) {
      return Status.SKIPPED;
    }
    return event instanceof MessageParked ? Status.PARKED : Status.QUARANTINED;
  }

  @SuppressWarnings("unchecked") // the value is the handler's, unchanged
  private static <T> Optional<T> returned(DeliveryResult ending) {
    return Optional.ofNullable((T) ending.returned());
  }
}
