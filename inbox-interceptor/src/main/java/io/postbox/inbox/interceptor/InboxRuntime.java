package io.postbox.inbox.interceptor;

import io.postbox.inbox.guard.InboxGuard;
import io.postbox.inbox.guard.InboxMeters;
import io.postbox.inbox.jms.DeliveryReader;
import io.postbox.inbox.message.Consumer;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Puts the core together for the interceptors of one application. */
@ApplicationScoped
class InboxRuntime {
  @Inject InboxExtension extension;
  @Inject OutsideTransaction outsideTransaction;
  @Inject @Any Instance<InboxMeters> optionalMeters;
  @Inject OwnTransaction ownTransaction;
  private InboxGuard guard;
  private JtaTransaction transaction;

  @PostConstruct
  void start() {
    Installation installation = extension.installation();
    List<InboxMeters> meters = new ArrayList<>(optionalMeters.stream().toList());
    meters.add(extension.counters());
    transaction = new JtaTransaction();
    guard =
        new InboxGuard(
            new JtaLedger(installation, () -> outsideTransaction.run(installation::prepare)),
            transaction,
            new AllMeters(meters));
  }

  /** Makes this bean before the first delivery, so that all metrics are there from the start. */
  void startUp(@Observes Startup event) {}

  @Nullable Object handle(Consumer consumer, Message message, Callable<@Nullable Object> handler)
      throws Exception {
    Callable<@Nullable Object> work =
        () -> guard.handle(consumer.name(), () -> DeliveryReader.read(consumer, message), handler);
    return transaction.exists() ? work.call() : ownTransaction.call(work, List.of());
  }
}
