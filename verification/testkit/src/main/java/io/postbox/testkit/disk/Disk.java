package io.postbox.testkit.disk;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * A disk that can be full, with what must survive of the database or the broker.
 *
 * @param name its owner to the servers: {@code DATABASE} or {@code BROKER}
 * @param disks it is one of these
 * @param folder over which it lies
 * @param need has its owner ask for space at once, if it would go on for long with what it has
 * @param revival lets its owner go on when there is space again: returns when it answers, and
 *     whether it had to be started
 */
public record Disk(
    String name, SmallDisks disks, Path folder, Runnable need, BooleanSupplier revival) {
  /** One whose owner asks for space soon. */
  public Disk(String name, SmallDisks disks, Path folder, BooleanSupplier revival) {
    this(name, disks, folder, () -> {}, revival);
  }

  public void fill() {
    disks.fill(folder);
    need.run();
  }

  public void free() {
    disks.free(folder);
  }
}
