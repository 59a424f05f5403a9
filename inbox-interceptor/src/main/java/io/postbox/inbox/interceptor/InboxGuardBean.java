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
import io.postbox.inbox.MessageCaptured;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.jms.MessageTrace;
import io.postbox.inbox.jms.RequestReader;
import io.postbox.inbox.jta.TransactionBoundary;
import io.postbox.inbox.receiver.Batch;
import io.postbox.inbox.receiver.DeliveryResult;
import io.postbox.inbox.receiver.RunningHandlers;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
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
  @Inject InboxDeployment deployment;
  @Inject DeliveryGateBean gate;
  @Inject TransactionBoundary ownTransaction;

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
    if (runtime.transaction().exists()) {
      throw new IllegalStateException(
          "handleAll gives each message of a batch a transaction of its own, and the calling thread"
              + " is in a transaction, for whose locks those might wait for ever. No message was"
              + " handled. Call it where there is no transaction, for instance in a method with"
              + " @TransactionAttribute(NOT_SUPPORTED), or call handleTogether to handle all"
              + " messages in the caller's transaction.");
    }
    return Batch.handle(requests, order, request -> tried(request, handler), this::mustStop);
  }

  /** Handles one message of a batch; its failure must not hide the others' outcome. */
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
      return failed(request, failure, attempt.get());
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
        all(requests, request -> this.<T, X>handle(request, () -> handler.handle(request)));
    try {
      return runtime.transaction().exists()
          ? all.call()
          : ownTransaction.call(all, (committed, cause) -> {}, List.of());
    } catch (Exception thrown) {
      @SuppressWarnings("unchecked") // only the handler can throw a checked exception
      X declared = (X) thrown;
      throw declared;
    }
  }

  private interface One<T> {
    InboxOutcome<T> of(InboxRequest request) throws Exception;
  }

  private static <T> Callable<List<InboxOutcome<T>>> all(List<InboxRequest> requests, One<T> one) {
    return () -> {
      List<InboxOutcome<T>> outcomes = new ArrayList<>(requests.size());
      for (InboxRequest request : requests) {
        outcomes.add(one.of(request));
      }
      return List.copyOf(outcomes);
    };
  }

  @Override
  public InboxOutcome<Void> capture(InboxRequest request) {
    requireHandler(request);
    DirectReply answer = new DirectReply();
    DeliveryResult ending;
    try {
      ending =
          runtime.capture(
              request.consumer(), () -> RequestReader.read(request, runtime::keyed), answer);
    } catch (RuntimeException thrown) {
      throw thrown;
    } catch (Exception impossible) {
      throw new IllegalStateException("no handler ran", impossible);
    }
    return new InboxOutcome<>(status(ending.event()), Optional.empty(), answer.text());
  }

  @Override
  public InboxBatchOutcome<Void> captureAll(List<InboxRequest> requests) {
    if (runtime.transaction().exists()) {
      throw new IllegalStateException(
          "captureAll commits the messages of a batch itself, and the calling thread is in a"
              + " transaction. No message was captured. Call it where there is no transaction, for"
              + " instance in a method with @TransactionAttribute(NOT_SUPPORTED), or call capture"
              + " for each message to store it in the caller's transaction.");
    }
    requests.forEach(this::requireHandler);
    return Batch.store(
        requests,
        () ->
            ownTransaction.call(all(requests, this::capture), (committed, cause) -> {}, List.of()),
        this::captured,
        this::failed,
        this::mustStop);
  }

  private void requireHandler(InboxRequest request) {
    if (deployment.handlers().of(request.consumer()).isEmpty()) {
      throw new IllegalArgumentException(
          "The consumer '%1$s' has no @InboxHandler(\"%1$s\") that could handle a captured message. Nothing was captured. Annotate a public method of a CDI bean or session bean with a CapturedMessage as its only parameter, or call handle."
              .formatted(request.consumer()));
    }
  }

  /** Stores one message of a batch. */
  private Item<Void> captured(InboxRequest request) {
    try {
      return new Done<>(request, capture(request));
    } catch (Throwable failure) {
      return failed(request, failure);
    }
  }

  private <T> Item<T> failed(InboxRequest request, Throwable failure) {
    return failed(request, failure, 0);
  }

  private <T> Item<T> failed(InboxRequest request, Throwable failure, int attempt) {
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new Failed<>(
        request,
        failure,
        Batch.delay(database.policies().of(request.consumer()), attempt, failure));
  }

  private static Status status(@Nullable MessageEvent event) {
    if (event instanceof MessageProcessed) {
      return Status.PROCESSED;
    }
    if (event instanceof MessageCaptured) {
      return Status.CAPTURED;
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
