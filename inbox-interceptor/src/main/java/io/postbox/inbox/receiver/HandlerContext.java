package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxContext;
import io.postbox.inbox.message.Delivery;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a handler access to the message that it handles. Thread-safe.
 *
 * @param effects makes outside calls
 * @param outside runs them
 * @param payloads reads the message's payload
 */
public record HandlerContext(OutsideEffects effects, Outside outside, Payloads payloads)
    implements InboxContext {

  /** Reads payloads. Thread-safe. */
  public interface Payloads {
    /** The schema version that the message states. */
    Optional<String> schemaVersion(Delivery delivery);

    /**
     * Reads the body as an object.
     *
     * @throws io.postbox.inbox.RejectedMessageException if it cannot be read as one
     * @throws IllegalStateException if the server cannot read JSON
     */
    <T> T read(Delivery delivery, Class<T> type);
  }

  /** Runs a task outside of the handler's transaction. */
  public interface Outside {
    /** Runs it while the calling thread's transaction is suspended. */
    <T extends @Nullable Object, X extends Exception> T call(Task<T, X> task) throws X;
  }

  /**
   * A task with only its declared exception.
   *
   * @param <T> its result
   * @param <X> that exception
   */
  public interface Task<T extends @Nullable Object, X extends Exception> {
    /** Runs. */
    T call() throws X;
  }

  @Override
  public String consumer() {
    return RunningHandlers.current().consumer();
  }

  @Override
  public String messageId() {
    return RunningHandlers.current().messageId();
  }

  @Override
  public int attempt() {
    return RunningHandlers.current().attempt();
  }

  @Override
  public Optional<String> eventType() {
    return Optional.ofNullable(RunningHandlers.current().delivery().eventType());
  }

  @Override
  public Optional<String> schemaVersion() {
    return payloads.schemaVersion(RunningHandlers.current().delivery());
  }

  @Override
  public <T> T payload(Class<T> type) {
    return payloads.read(RunningHandlers.current().delivery(), type);
  }

  @Override
  public String idempotencyKey(String effect) {
    return effects.key(RunningHandlers.current(), effect);
  }

  @Override
  public void result(String value) {
    RunningHandlers.current().result(EffectLimits.checked("the result", value));
  }

  @Override
  public <X extends Exception> String once(String effect, OutsideCall<X> call) throws X {
    HandlerRun run = RunningHandlers.current();
    return outside.call(() -> effects.once(run, effect, call));
  }
}
