package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxContext;
import io.postbox.inbox.jms.PayloadReader;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.inbox.receiver.EffectLimits;
import io.postbox.inbox.receiver.HandlerRun;
import io.postbox.inbox.receiver.OutsideEffects;
import io.postbox.inbox.receiver.RunningHandlers;
import io.postbox.inbox.startup.InboxDatabase;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;

/** Gives a handler access to the message that it handles. */
@ApplicationScoped
class InboxContextBean implements InboxContext {
  @Inject InboxDatabase database;
  @Inject SuspendedTransaction suspended;
  @Inject PayloadReaderBean payloads;
  private OutsideEffects effects;

  @PostConstruct
  void start() {
    effects = new OutsideEffects(database.config().service(), new JdbcEffectStore(database));
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
    return PayloadReader.schemaVersion(RunningHandlers.current().delivery());
  }

  @Override
  public <T> T payload(Class<T> type) {
    return payloads.reader().read(RunningHandlers.current().delivery(), type);
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
    return suspended.call(() -> effects.once(run, effect, call));
  }
}
