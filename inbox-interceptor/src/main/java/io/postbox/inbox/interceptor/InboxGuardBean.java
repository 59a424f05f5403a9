package io.postbox.inbox.interceptor;

import io.postbox.inbox.BatchOrder;
import io.postbox.inbox.InboxBatchOutcome;
import io.postbox.inbox.InboxBatchOutcome.Done;
import io.postbox.inbox.InboxBatchOutcome.Failed;
import io.postbox.inbox.InboxBatchOutcome.Item;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxOutcome.Status;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.jms.MessageTrace;
import io.postbox.inbox.jms.RequestReader;
import io.postbox.inbox.jta.JtaTransaction;
import io.postbox.inbox.jta.TransactionBoundary;
import io.postbox.inbox.receiver.Batch;
import io.postbox.inbox.receiver.DeliveryResult;
import io.postbox.inbox.receiver.RunningHandlers;
import io.postbox.inbox.startup.InboxDatabase;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Passes messages that arrived without JMS to the core. */
@ApplicationScoped
class InboxGuardBean implements InboxGuard {
  @Inject InboxRuntime runtime;
  @Inject InboxDatabase database;
  @Inject DeliveryGateBean gate;
  @Inject TransactionBoundary ownTransaction;

  private JtaTransaction transaction;

  @PostConstruct
  void start() {
    transaction = new JtaTransaction();
  }

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
              MessageTrace.of(request),
              handler::handle);
    } catch (Exception thrown) {
      @SuppressWarnings("unchecked") // only the handler can throw a checked exception
      X declared = (X) thrown;
      throw declared;
    }
    return new InboxOutcome<>(status(ending.event()), returned(ending), answer.text());
  }

  @Override
  public <T> InboxBatchOutcome<T> handleAll(
      List<InboxRequest> requests, RequestHandler<T, ? extends Exception> handler) {
    return handleAll(requests, BatchOrder.BY_KEY, handler);
  }

  @Override
  public <T> InboxBatchOutcome<T> handleAll(
      List<InboxRequest> requests,
      BatchOrder order,
      RequestHandler<T, ? extends Exception> handler) {
    if (transaction.exists()) {
      throw new IllegalStateException(
          "handleAll gives each message of a batch a transaction of its own, and the calling thread is in a transaction, for whose locks those might wait for ever. No message was handled. Call it where there is no transaction, for instance in a method with @TransactionAttribute(NOT_SUPPORTED), or call handleTogether to handle all messages in the caller's transaction.");
    }
    return Batch.handle(requests, order, request -> tried(request, handler), this::mustStop);
  }

  /** Handles one message of a batch; whatever it fails with must not hide the others' outcome. */
  private <T> Item<T> tried(InboxRequest request, RequestHandler<T, ? extends Exception> handler) {
    AtomicInteger attempt = new AtomicInteger();
    try {
      return new Done<>(
          request,
          this.<T, Exception>handle(
              request,
              () -> {
                attempt.set(RunningHandlers.current().attempt());
                return handler.handle(request);
              }));
    } catch (Throwable failure) {
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return new Failed<>(
          request,
          failure,
          Batch.delay(database.policies().of(request.consumer()), attempt.get(), failure));
    }
  }

  private boolean mustStop() {
    return gate.database().isSuspected()
        || gate.gate().isClosed()
        || Thread.currentThread().isInterrupted();
  }

  @Override
  public <T, X extends Exception> List<InboxOutcome<T>> handleTogether(
      List<InboxRequest> requests, RequestHandler<T, X> handler) throws X {
    Callable<List<InboxOutcome<T>>> all =
        () -> {
          List<InboxOutcome<T>> outcomes = new ArrayList<>(requests.size());
          for (InboxRequest request : requests) {
            outcomes.add(this.<T, X>handle(request, () -> handler.handle(request)));
          }
          return List.copyOf(outcomes);
        };
    try {
      return transaction.exists()
          ? all.call()
          : ownTransaction.call(all, (committed, cause) -> {}, List.of());
    } catch (Exception thrown) {
      @SuppressWarnings("unchecked") // only the handler can throw a checked exception
      X declared = (X) thrown;
      throw declared;
    }
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
