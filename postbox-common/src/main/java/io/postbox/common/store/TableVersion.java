package io.postbox.common.store;

/**
 * The version of a module's tables. Tables of one major version differ only in what was added, so a
 * node works on those of any later minor version.
 *
 * @param major raised by a change that older nodes cannot work with
 * @param minor raised by tables, indexes, and columns that are nullable or have a default
 */
public record TableVersion(int major, int minor) {

  /** Whether this is a later one of the same major version. */
  boolean adds(TableVersion other) {
    return major == other.major && minor > other.minor;
  }

  /** As in the names of scripts. */
  @Override
  public String toString() {
    return major + "." + minor;
  }
}
