package io.postbox.inbox.interceptor;

import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPage;
import io.postbox.inbox.KeptPayload;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.QuarantinedMessage;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.ReplyOnRedrive;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;

/** Suspends the caller's transaction, and says who calls. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class QuarantinedMessagesBean implements QuarantinedMessages {
  @Inject InboxExtension extension;
  @Inject CallerPrincipal caller;

  private KeptMessagesService<QuarantinedMessage> desk;

  @PostConstruct
  void open() {
    desk = KeptMessagesService.quarantined(extension);
  }

  @Override
  public List<QuarantinedMessage> find(KeptFilter filter, KeptPage page) {
    return desk.queries().find(filter, page);
  }

  @Override
  public Optional<QuarantinedMessage> get(long id) {
    return desk.queries().get(id);
  }

  @Override
  public Optional<KeptPayload> payload(long id) {
    return desk.queries().payload(id, caller.name());
  }

  @Override
  public KeptPlan plan(KeptFilter filter) {
    return desk.tokens().of(desk.queries().plan(filter), caller.name());
  }

  @Override
  public Redriven redrive(KeptPlan plan, String reason) {
    return desk.actions().redrive(plan, caller.name(), reason);
  }

  @Override
  public Redriven redrive(KeptPlan plan, ReplyOnRedrive replies, String reason) {
    return desk.actions().redrive(plan, replies, caller.name(), reason);
  }

  @Override
  public long discard(KeptPlan plan, String reason) {
    return desk.actions().discard(plan, caller.name(), reason);
  }
}
