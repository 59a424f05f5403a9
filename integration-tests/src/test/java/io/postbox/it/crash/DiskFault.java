package io.postbox.it.crash;

import java.time.Duration;
import java.util.Random;

/**
 * For a while there is no space left where something is kept that must survive. Who dies of it is
 * started again when there is; all others have to go on by themselves.
 *
 * @param store its name
 */
record DiskFault(String store) implements Fault {
  @Override
  public String name() {
    return store + "_DISK_FULL";
  }

  @Override
  public String happen(Nodes nodes, Random random) {
    Disk disk = nodes.disk(store);
    Moments.pause(Moments.between(random, 200, 2_000));
    Duration length = Moments.between(random, 5_000, 20_000);
    disk.fill();
    nodes.mark(name());
    Moments.pause(length);
    disk.free();
    nodes.mark(name() + " no longer");
    boolean died = disk.revival().getAsBoolean();
    if (died) {
      nodes.mark(store + " was started again");
    }
    return "%s for %s%s"
        .formatted(name(), Life.seconds(length), died ? ", and it had to be started again" : "");
  }
}
