package io.postbox.inbox.ops;

import io.postbox.inbox.VersionGap.Versions;
import java.util.ArrayList;
import java.util.List;

/** The versions that are missing between two. Pure. */
final class MissingVersions {
  private MissingVersions() {}

  /**
   * The versions after one and before another, without some.
   *
   * @param last the version before the first
   * @param next the version after the last
   * @param without in ascending order, all between the two
   */
  static List<Versions> between(long last, long next, List<Long> without) {
    List<Versions> missing = new ArrayList<>();
    long from = last + 1;
    for (long other : without) {
      if (other > from) {
        missing.add(new Versions(from, other - 1));
      }
      from = other + 1;
    }
    if (next > from) {
      missing.add(new Versions(from, next - 1));
    }
    return missing;
  }
}
