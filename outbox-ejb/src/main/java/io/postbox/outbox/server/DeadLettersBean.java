package io.postbox.outbox.server;

import io.postbox.common.Page;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.ops.DeadLetterActions;
import io.postbox.outbox.ops.DeadLetterActions.Done;
import io.postbox.outbox.ops.DeadLetterQueries;
import io.postbox.outbox.store.StoredErrors;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Suspends the caller's transaction, says who calls, and wakes the relay. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class DeadLettersBean implements DeadLetters {
  @Inject OutboxExtension extension;
  @Inject RelayBean relay;
  @Inject PayloadBeans payloads;

  /** Looked up late: where no enterprise bean is deployed, the extension says so. */
  @Inject Instance<CallerPrincipal> caller;

  @Override
  public List<DeadLetter> find(DeadLetterFilter filter, Page page) {
    return queries().find(filter, page);
  }

  @Override
  public Optional<DeadLetter> get(UUID id) {
    return queries().get(id);
  }

  @Override
  public DeadLetterPlan plan(DeadLetterFilter filter) {
    return extension.installation().plans().of(queries().plan(filter), caller.get().name());
  }

  @Override
  public long redrive(DeadLetterPlan plan, String reason) {
    return wake(actions().redrive(plan, caller.get().name(), reason));
  }

  @Override
  public long discard(DeadLetterPlan plan, String reason) {
    return wake(actions().discard(plan, caller.get().name(), reason));
  }

  private long wake(Done done) {
    relay.wake(done.lanes(), Optional.empty()); // a poll finds what is delayed
    return done.letters();
  }

  private DeadLetterActions actions() {
    Installation installation = extension.installation();
    return new DeadLetterActions(
        installation.dialect(),
        installation.config(),
        installation.dataSource(),
        installation.plans());
  }

  private DeadLetterQueries queries() {
    Installation installation = extension.installation();
    installation.dialect(); // says why, if the tables are not in order
    return new DeadLetterQueries(
        installation.config(), installation.dataSource(), new StoredErrors(payloads.cipher()));
  }
}
