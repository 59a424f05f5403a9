package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxContext;
import io.postbox.inbox.guard.EffectTexts;
import io.postbox.inbox.guard.Handling;
import io.postbox.inbox.guard.OutsideEffects;
import io.postbox.inbox.guard.RunningHandlers;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Tells a handler of the message that it handles. */
@ApplicationScoped
class ContextBean implements InboxContext {
  @Inject InboxExtension extension;
  @Inject OutsideTransaction outsideTransaction;
  private OutsideEffects effects;

  @PostConstruct
  void start() {
    Installation installation = extension.installation();
    effects = new OutsideEffects(installation.config().service(), new EffectRows(installation));
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
  public String idempotencyKey(String effect) {
    return effects.key(RunningHandlers.current(), effect);
  }

  @Override
  public void result(String value) {
    RunningHandlers.current().result(EffectTexts.checked("the result", value));
  }

  @Override
  public <X extends Exception> String once(String effect, OutsideCall<X> call) throws X {
    Handling handling = RunningHandlers.current();
    return outsideTransaction.call(() -> effects.once(handling, effect, call));
  }
}
