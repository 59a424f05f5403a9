package io.postbox.inbox.kept;

import io.postbox.common.LookupPage;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.GapFilter;
import io.postbox.inbox.GapPlan;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.SkippedGaps;
import io.postbox.inbox.VersionGap;
import io.postbox.inbox.VersionGaps;
import io.postbox.inbox.ops.Gaps;
import io.postbox.inbox.receiver.WakeUp;
import io.postbox.inbox.startup.InboxDatabase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.UUID;

/** Suspends the caller's transaction, and passes on the caller's principal. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class VersionGapsBean implements VersionGaps {
  @Inject InboxDatabase database;
  @Inject CallerPrincipal caller;
  @Inject WakeUp releases;

  @Override
  public LookupPage<VersionGap> find(GapFilter filter, String after, int size) {
    return gaps().find(filter, after, size);
  }

  @Override
  public GapPlan plan(GapFilter filter) {
    return gaps().plan(filter, caller.name());
  }

  @Override
  public SkippedGaps skip(UUID plan, String reason) {
    return gaps().skip(plan, caller.name(), reason, releases::released);
  }

  private Gaps gaps() {
    Optional<Dialect> dialect = database.dialect();
    if (database.stores().isEmpty() || dialect.isEmpty()) {
      throw new InboxException(
          "The gaps in the order of versions cannot be read, because the inbox is not ready: "
              + database.problem(),
          null);
    }
    return new Gaps(dialect.get(), database.config(), database.dataSource());
  }
}
