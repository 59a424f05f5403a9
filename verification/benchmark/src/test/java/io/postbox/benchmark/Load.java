package io.postbox.benchmark;

/**
 * The size of a floor.
 *
 * @param threads each with one JMS session, one database connection, or both
 * @param batch messages per transaction
 */
record Load(int threads, int batch) {
  @Override
  public String toString() {
    return "%s × %s".formatted(threads, batch);
  }
}
