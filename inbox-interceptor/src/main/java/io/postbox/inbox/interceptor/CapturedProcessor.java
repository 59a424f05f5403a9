package io.postbox.inbox.interceptor;

import io.postbox.common.log.RecordedError;
import io.postbox.common.log.Throttle;
import io.postbox.common.ops.Interrupts;
import io.postbox.common.ops.Outage;
import io.postbox.common.server.Jndi;
import io.postbox.inbox.MessageBuffered;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.ConsumerConfig.AfterProcessing;
import io.postbox.inbox.config.ConsumerConfig.Capture;
import io.postbox.inbox.config.ConsumerConfig.OnParked;
import io.postbox.inbox.jms.BrokerAwayException;
import io.postbox.inbox.jms.JmsNames;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.jms.StoredRoute;
import io.postbox.inbox.jta.OwnDeliveryTransaction;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.inbox.jta.TransactionBoundary;
import io.postbox.inbox.log.CaptureLog;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Captured;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.ops.ReleasePace;
import io.postbox.inbox.receiver.DeliveryResult;
import io.postbox.inbox.receiver.Invocation;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.startup.CapturedHandlers.CapturedHandler;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.CapturedStore;
import io.postbox.inbox.store.CapturedStore.Setbacks;
import io.postbox.inbox.store.ResultStore;
import io.postbox.inbox.work.WorkQueue;
import io.postbox.inbox.work.WorkQueue.Result;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles one captured message in a transaction of its own: locks its row, reads it, has it
 * received as any delivery, and ends its row. Thread-safe.
 */
@ApplicationScoped
class CapturedProcessor {
  private static final int LONGEST_ERROR = 2_000;

  @Inject InboxDatabase database;
  @Inject InboxRuntime runtime;
  @Inject TransactionBoundary transactions;
  @Inject SuspendedTransaction suspended;
  @Inject HandlerCalls calls;
  @Inject PayloadReaderBean payloads;

  // other ones in tests
  JmsNames.Lookup lookup = Jndi::lookup;
  LongSupplier nanos = System::nanoTime;

  private final Throttle lines = new Throttle(System::nanoTime);
  private final Throttle notParkedLines = new Throttle(System::nanoTime);
  private final Map<String, ReleasePace> replyPaces = new ConcurrentHashMap<>();

  /** Work on a connection of the calling thread's transaction. */
  private interface Work<T extends @Nullable Object> {
    T on(CapturedStore captured, Connection connection) throws SQLException;
  }

  /** How far the work on a message came. For one thread. */
  private static final class Course {
    private @Nullable Captured captured;
    private boolean isCalled;
    private boolean hasEnded;

    private boolean isHandled() {
      return captured != null && captured.isHandled();
    }
  }

  /**
   * Handles a message, unless another node does or it is done. Throws nothing, not even an Error: a
   * failure of the handler is recorded, and any other is a setback, after which the message is
   * tried again with a growing delay, and parked in the end.
   *
   * @param queue is told when a delayed message is due
   */
  Result process(String consumer, long id, CapturedHandler handler, WorkQueue queue) {
    OwnDeliveryTransaction own = new OwnDeliveryTransaction(runtime.transaction());
    Course course = new Course();
    try {
      Result result =
          transactions.call(
              () -> handle(consumer, id, handler, queue, own, course), own, List.of());
      Captured ended = course.captured;
      if (course.hasEnded && ended != null) {
        database.limits().removed(consumer, Kind.CAPTURED, ended.bytes());
      }
      return result;
    } catch (Throwable failed) {
      return course.isCalled
          ? Result.FAILED // recorded and logged as a failure of the handler
          : setBack(consumer, id, course, failed, queue);
    }
  }

  /** Has a message tried again later, or parks it, because a step around its handler failed. */
  private Result setBack(
      String consumer, long id, Course course, Throwable failed, WorkQueue queue) {
    Result result = Result.FAILED;
    if (!Outage.isShownBy(failed)) { // else no message is to blame
      try {
        result = setBackOrPark(consumer, id, course, failed, queue);
      } catch (Throwable notEven) { // the database: the message is left alone for a moment
        failed.addSuppressed(notEven);
      }
    }
    tell(consumer, course, failed);
    return result;
  }

  private Result setBackOrPark(
      String consumer, long id, Course course, Throwable failed, WorkQueue queue) throws Exception {
    try {
      return setBackNow(consumer, id, course, failed, queue, true);
    } catch (
        Throwable notParked) { // as by a cipher that is away: it must not be asked each half second
      if (Outage.isShownBy(notParked)) {
        throw notParked;
      }
      Result result = setBackNow(consumer, id, course, failed, queue, false);
      notParkedLines.tell(times -> CaptureLog.notParked(consumer, times, notParked));
      return result;
    }
  }

  private Result setBackNow(
      String consumer, long id, Course course, Throwable failed, WorkQueue queue, boolean mayPark)
      throws Exception {
    List<Runnable> onCommit = new ArrayList<>();
    Result result =
        transactions.call(
            () -> {
              Optional<Setbacks> before =
                  call((store, connection) -> store.lockSetbacks(connection, id));
              if (before.isEmpty()) {
                return Result.DONE;
              }
              if (course.captured != null && before.get().isHandled() != course.isHandled()) {
                return Result.DONE_AND_MORE; // by another node, after this turn's rollback
              }
              ConsumerConfig config = database.policies().of(consumer);
              int setbacks = before.get().number() + 1;
              if (mayPark && setbacks >= config.maxTransientFailures()) {
                park(
                    call((store, connection) -> store.read(connection, id)),
                    setbacks,
                    failed,
                    onCommit);
                return Result.DONE_AND_MORE;
              }
              Duration delay =
                  config.backoff().after(setbacks, ThreadLocalRandom.current().nextDouble());
              call(
                  (store, connection) -> {
                    store.setBack(connection, id, delay);
                    return true;
                  });
              onCommit.add(() -> queue.lookWithin(delay));
              return Result.DONE;
            },
            (committed, cause) -> {},
            List.of());
    onCommit.forEach(Runnable::run);
    return result;
  }

  /** Leaves a message to an operator, with its content in its place: perhaps it cannot be read. */
  private void park(Captured captured, int setbacks, Throwable failed, List<Runnable> onCommit)
      throws SQLException {
    Delivery delivery = captured.delivery();
    RecordedError error = RecordedError.of(InboxLog.reason(failed), failed).cut(LONGEST_ERROR);
    Parked parked =
        new Parked(
            delivery,
            captured.messageId(),
            captured.isHandled() ? ParkReason.REPLY_NOT_SENT : ParkReason.HANDLER_NOT_REACHED,
            error.text(),
            error.signature(),
            setbacks);
    runtime.capturedStore().park(parked, captured.mayReply());
    Capture settings = database.config().of(delivery.consumer()).capture();
    call(
        (store, connection) -> {
          store.keepAside(connection, captured, settings.onParked() == OnParked.HOLD);
          return true;
        });
    onCommit.add(() -> runtime.parked(parked));
  }

  private void tell(String consumer, Course course, Throwable failed) {
    long times = lines.take();
    if (times > 0) {
      int budget = database.policies().of(consumer).maxTransientFailures();
      if (course.isHandled()) {
        CaptureLog.notReplied(consumer, times, budget, failed);
      } else {
        CaptureLog.notHandled(consumer, times, budget, failed);
      }
    }
  }

  /** Whether replies may be sent now; otherwise the broker does not answer. */
  boolean mayReply(String consumer) {
    return replies(consumer).isOpen();
  }

  private ReleasePace replies(String consumer) {
    return replyPaces.computeIfAbsent(
        consumer, name -> new ReleasePace(nanos, () -> ThreadLocalRandom.current().nextDouble()));
  }

  private Result handle(
      String consumer,
      long id,
      CapturedHandler handler,
      WorkQueue queue,
      OwnDeliveryTransaction own,
      Course course)
      throws Exception {
    Capture settings = database.config().of(consumer).capture();
    Optional<Captured> claimed =
        call(
            (store, connection) ->
                store.claim(connection, id, settings.longestSilence())
                    ? Optional.of(store.read(connection, id))
                    : Optional.empty());
    if (claimed.isEmpty()) {
      return Result.DONE;
    }
    Captured captured = claimed.get();
    course.captured = captured;
    if (captured.isHandled() && captured.delivery().schedule().orderingKey() != null) {
      Optional<Boolean> released = release(captured, settings);
      course.hasEnded = released.orElse(false);
      return released.isPresent() ? Result.DONE_AND_MORE : Result.FAILED; // soon again
    }
    StoredMessage message = new StoredMessage(captured, payloads.reader());
    StoredRoute route = new StoredRoute(captured, message, names(consumer));
    if (captured.isHandled()) {
      course.hasEnded = reply(captured, route, settings, queue);
      return course.hasEnded ? after(captured) : Result.FAILED; // another one asks the broker
    }
    DeliveryResult result =
        runtime
            .capturedReceiver()
            .receive(
                new Invocation(
                    consumer,
                    own,
                    captured::delivery,
                    route,
                    run -> {
                      course.isCalled = true;
                      try {
                        return runtime.runCaptured(
                            run, message, () -> calls.call(handler, message));
                      } finally { // before the statements that follow
                        Interrupts.forget();
                      }
                    }));
    if (!own.isRollbackOnly()) {
      course.hasEnded = end(captured, result.event(), route, settings);
    }
    return after(captured);
  }

  /**
   * Ends the row of a message whose transaction is about to commit.
   *
   * @return whether nothing is to be done for it any more
   */
  private boolean end(
      Captured captured, @Nullable MessageEvent event, StoredRoute route, Capture settings)
      throws SQLException {
    if (event == null) {
      return false; // it is delayed
    }
    if (event instanceof MessageProcessed) {
      runtime
          .capturedStore()
          .complete(captured.delivery(), captured.messageId(), Outcome.PROCESSED);
    } else if (event instanceof MessageSkipped skipped && skipped.why() == Why.STALE) {
      runtime.capturedStore().complete(captured.delivery(), captured.messageId(), Outcome.STALE);
    }
    return call(
        (store, connection) -> {
          if (event instanceof MessageBuffered) {
            store.keepAside(connection, captured, false);
          } else if (event instanceof MessageParked parked) {
            store.keepAside(connection, captured, holds(parked, settings));
          } else if (route.replies()) {
            store.handled(connection, captured);
            return false;
          } else if (event instanceof MessageQuarantined) {
            store.forget(connection, captured);
          } else {
            return store.finishUnlessBusy(connection, captured, isKept(settings));
          }
          return true;
        });
  }

  private static boolean isKept(Capture settings) {
    return settings.afterProcessing() == AfterProcessing.KEEP;
  }

  /** One that waits for an earlier version must not hold that one, which may have its key. */
  private static boolean holds(MessageParked parked, Capture settings) {
    return settings.onParked() == OnParked.HOLD && !ParkReason.valueOf(parked.reason()).isWaiting();
  }

  /**
   * Lets the next message with its ordering key go, which another transaction had when the handler
   * was done.
   *
   * @return whether the message has ended; empty if another transaction still has the key
   */
  private Optional<Boolean> release(Captured captured, Capture settings) throws SQLException {
    boolean replies = reply(captured).isPresent();
    boolean isFree =
        call(
            (store, connection) ->
                replies
                    ? store.handled(connection, captured)
                    : store.finishUnlessBusy(connection, captured, isKept(settings)));
    return isFree ? Optional.of(!replies) : Optional.empty();
  }

  private Optional<String> reply(Captured captured) throws SQLException {
    return database.call(
        (stores, connection) ->
            stores
                .results()
                .get(
                    connection,
                    captured.delivery().consumer(),
                    captured.messageId(),
                    ResultStore.REPLY)
                .flatMap(found -> Optional.ofNullable(found.value())));
  }

  /**
   * Sends the reply before the row is ended, so that a crash in between repeats it.
   *
   * @return false if the broker did not answer, and another reply finds out whether it does again
   */
  private boolean reply(Captured captured, StoredRoute route, Capture settings, WorkQueue queue)
      throws SQLException {
    Optional<String> text = reply(captured);
    if (text.isPresent()) {
      ReleasePace pace = replies(captured.delivery().consumer());
      if (!pace.take()) {
        return false;
      }
      try {
        suspended.run(() -> route.send(text.get()));
        pace.succeeded(captured.id());
      } catch (BrokerAwayException away) {
        pace.outage();
        queue.lookWithin(pace.rest());
        throw away;
      } finally {
        pace.giveBack();
      }
    }
    call(
        (store, connection) -> {
          store.finish(connection, captured, isKept(settings));
          return true;
        });
    return true;
  }

  /** A reply is sent in a turn of its own, and the next message with the key may be due. */
  private static Result after(Captured captured) {
    return captured.delivery().schedule().orderingKey() != null
            || captured.delivery().replyTo() != null
        ? Result.DONE_AND_MORE
        : Result.DONE;
  }

  private JmsNames names(String consumer) {
    return new JmsNames(
        database.config().connectionFactoryOf(consumer),
        Optional.empty(),
        Optional.empty(),
        database.config().of(consumer).replies(),
        lookup);
  }

  private <T extends @Nullable Object> T call(Work<T> work) throws SQLException {
    return database.call((stores, connection) -> work.on(stores.captured(), connection));
  }
}
