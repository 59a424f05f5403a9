package io.postbox.crash.faults;

import io.postbox.crash.topology.Nodes;
import java.util.Random;

/** Something that can be done to what runs, while clients ask for more. */
public interface Fault {
  /** By which its rounds are counted. */
  String name();

  /**
   * How many clients order meanwhile. A fault that takes minutes lets fewer of them order: the
   * round has to come to rest, and each client orders 25 times a second.
   *
   * @param wanted by the settings of the campaign, at least 1
   * @return at least 1
   */
  default int clients(int wanted) {
    return wanted;
  }

  /**
   * Ends what lasts until all has come to rest under it.
   *
   * @return whether there was something, after which all has to come to rest once more
   */
  default boolean end(Nodes nodes) {
    return false;
  }

  /**
   * Does it, and undoes what does not end by itself; servers that it has killed stay down.
   *
   * @param random how it is done this time
   * @return an exact account of it, for a person
   */
  String happen(Nodes nodes, Random random);
}
