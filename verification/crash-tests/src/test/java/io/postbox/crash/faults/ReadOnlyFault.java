package io.postbox.crash.faults;

import io.postbox.crash.report.EventLines;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.database.Tables;
import java.time.Duration;
import java.util.Random;

/** PostgreSQL answers, and takes nothing: like a standby, or a managed disk that is full. */
public record ReadOnlyFault() implements Fault {
  @Override
  public String name() {
    return "DATABASE_READ_ONLY";
  }

  @Override
  public String happen(Nodes nodes, Random random) {
    FaultTiming.pause(FaultTiming.between(random, 200, 2_000));
    Duration length = FaultTiming.between(random, 5_000, 20_000);
    Tables.takeNoWrites(nodes.database());
    nodes.mark(name());
    FaultTiming.pause(length);
    Tables.takeWrites(nodes.database());
    nodes.mark(name() + " no longer");
    return "%s for %s".formatted(name(), EventLines.seconds(length));
  }
}
