package io.postbox.crash.faults;

import io.postbox.crash.report.EventLines;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.disk.Disk;
import io.postbox.testkit.model.Event.Unanswered;
import java.time.Duration;
import java.util.Random;

/**
 * For a while there is no space left where something is kept that must survive. Servers that die of
 * it are started again when there is; all others have to go on by themselves.
 *
 * @param store its name
 */
public record DiskFault(String store) implements Fault {
  @Override
  public String name() {
    return store + "_DISK_FULL";
  }

  @Override
  public String happen(Nodes nodes, Random random) {
    Disk disk = nodes.disk(store);
    FaultTiming.pause(FaultTiming.between(random, 200, 2_000));
    Duration length = FaultTiming.between(random, 5_000, 20_000);
    disk.fill();
    nodes.mark(name());
    long refused = nodes.count(Unanswered.class);
    int sent = nodes.sent().size();
    FaultTiming.pause(length);
    refused = nodes.count(Unanswered.class) - refused;
    sent = nodes.sent().size() - sent;
    disk.free();
    nodes.mark(name() + " no longer");
    boolean died = disk.revival().getAsBoolean();
    if (died) {
      nodes.mark(store + " was started again");
    }
    return "%s for %s, meanwhile %s orders refused and %s messages sent%s"
        .formatted(
            name(),
            EventLines.seconds(length),
            refused,
            sent,
            died ? ", and it had to be started again" : "");
  }
}
