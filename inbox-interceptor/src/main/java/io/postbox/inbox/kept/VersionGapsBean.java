package io.postbox.inbox.kept;

import io.postbox.common.LookupPage;
import io.postbox.inbox.GapFilter;
import io.postbox.inbox.GapPlan;
import io.postbox.inbox.SkippedGaps;
import io.postbox.inbox.VersionGap;
import io.postbox.inbox.VersionGaps;
import io.postbox.inbox.ops.Gaps;
import io.postbox.inbox.receiver.WakeUp;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.UUID;

@ApplicationScoped
class VersionGapsBean extends OperatorBean implements VersionGaps {
  @Inject WakeUp releases;

  @Override
  public LookupPage<VersionGap> find(GapFilter filter, String after, int size) {
    return gaps().find(filter, after, size);
  }

  @Override
  public GapPlan plan(GapFilter filter) {
    return gaps().plan(filter, caller());
  }

  @Override
  public SkippedGaps skip(UUID plan, String reason) {
    return gaps().skip(plan, caller(), reason, releases::released);
  }

  private Gaps gaps() {
    return new Gaps(
        database.ready("The gaps in the order of versions cannot be read"),
        database.config(),
        database.dataSource());
  }
}
