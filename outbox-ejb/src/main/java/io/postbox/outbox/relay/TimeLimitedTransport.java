package io.postbox.outbox.relay;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends on a thread of its own, so that a broker that never answers blocks only that thread and not
 * the worker, which holds the claim. After a time-out the sender rolls back if it has not begun to
 * commit; otherwise the batch may be sent twice. At most {@code hangingAtMost} threads may hang:
 * until one of them ends, the relay sends nothing more. Thread-safe.
 */
final class TimeLimitedTransport {
  private final Transport transport;
  private final ExecutorService executor;
  private final Duration limit;
  private final int hangingAtMost;
  private final InstantSource clock;
  private final AtomicInteger hanging = new AtomicInteger();

  private enum Stage {
    WAITING,
    SENDING,
    COMMITTING,
    GIVEN_UP
  }

  TimeLimitedTransport(
      Transport transport,
      ExecutorService executor,
      Duration limit,
      int hangingAtMost,
      InstantSource clock) {
    this.transport = transport;
    this.executor = executor;
    this.limit = limit;
    this.hangingAtMost = hangingAtMost;
    this.clock = clock;
  }

  /** Begins a series of sends that share the time limit. */
  Session begin(Lane lane) {
    return new Session(lane, clock.instant());
  }

  /** The sends of one pass, on one thread. */
  final class Session implements BatchSender.TransportSession {
    private final Lane lane;
    private final Instant start;

    private Session(Lane lane, Instant start) {
      this.lane = lane;
      this.start = start;
    }

    /** A send that begins in the second half would have too little time to blame the broker. */
    @Override
    public boolean hasTime() {
      return left().compareTo(limit.dividedBy(2)) > 0;
    }

    @Override
    public void send(List<StoredMessage> messages) throws SendFailure {
      TimeLimitedTransport.this.send(lane, messages, left());
    }

    private Duration left() {
      return limit.minus(Duration.between(start, clock.instant()));
    }
  }

  private void send(Lane lane, List<StoredMessage> messages, Duration within) throws SendFailure {
    if (hanging.get() >= hangingAtMost) {
      throw SendFailure.ofDestination(
          hanging.get() + " earlier sends still hang, so nothing more is sent until one ends",
          null);
    }
    AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
    AtomicBoolean over = new AtomicBoolean();
    Future<Optional<SendFailure>> sending =
        submitted(
            () -> {
              if (!stage.compareAndSet(Stage.WAITING, Stage.SENDING)) {
                return Optional.empty(); // timed out before a thread was free
              }
              try {
                transport.send(
                    lane, messages, () -> stage.compareAndSet(Stage.SENDING, Stage.COMMITTING));
                return Optional.empty();
              } catch (SendFailure failure) {
                if (failure.mayHaveBrokenAConnection()) {
                  throw failure; // so that the thread is not reused
                }
                return Optional.of(failure);
              } finally {
                if (!over.compareAndSet(false, true)) {
                  hanging.decrementAndGet();
                }
              }
            });
    try {
      Optional<SendFailure> refused = sending.get(within.toMillis(), TimeUnit.MILLISECONDS);
      if (refused.isPresent()) {
        throw refused.get();
      }
    } catch (ExecutionException failed) {
      throw asSendFailure(Objects.requireNonNullElse(failed.getCause(), failed));
    } catch (TimeoutException late) {
      throw giveUp(
          stage, over, sending, "did not answer within " + within.toMillis() + " ms", late);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw giveUp(stage, over, sending, "was interrupted", stopped);
    }
  }

  /**
   * The executor rejects tasks only after the relay has stopped: no message is at fault, and none
   * was sent.
   */
  private <T> Future<T> submitted(Callable<T> task) throws SendFailure {
    try {
      return executor.submit(task);
    } catch (RejectedExecutionException refused) {
      throw SendFailure.claimLost("the relay has stopped: " + refused.getMessage());
    }
  }

  private SendFailure giveUp(
      AtomicReference<Stage> stage,
      AtomicBoolean over,
      Future<?> sending,
      String why,
      Exception cause) {
    if (stage.compareAndSet(Stage.WAITING, Stage.GIVEN_UP)) {
      sending.cancel(false);
      return SendFailure.ofDestination(
          "the broker " + why + "; no thread had been free to send the batch", cause);
    }
    boolean rolledBack = stage.compareAndSet(Stage.SENDING, Stage.GIVEN_UP);
    hanging.incrementAndGet();
    if (!over.compareAndSet(false, true)) {
      hanging.decrementAndGet(); // it has just ended after all
    }
    sending.cancel(false); // without an interrupt, which could close a file of the broker's journal
    return SendFailure.ofDestination(
        "the broker "
            + why
            + (rolledBack
                ? "; the batch was given up before its commit"
                : "; the batch may be sent twice"),
        cause);
  }

  private static SendFailure asSendFailure(Throwable cause) {
    if (cause instanceof SendFailure failure) {
      return failure;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof OutboxException ours) { // a failure of the tables, not of the broker
      throw ours;
    }
    return SendFailure.unknown(String.valueOf(cause), cause);
  }
}
