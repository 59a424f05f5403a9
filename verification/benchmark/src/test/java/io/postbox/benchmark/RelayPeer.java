package io.postbox.benchmark;

/**
 * Ours, in the peers' table.
 *
 * @param relay with default settings
 */
record RelayPeer(Relay relay) implements Peer {
  @Override
  public String name() {
    return "Postbox";
  }

  @Override
  public Guarantees guarantees() {
    return new Guarantees(
        "kept, also behind a message that fails",
        "in the business transaction; sent at least once",
        "kept with their key's later messages until somebody redrives or discards them");
  }

  @Override
  public double drain(int count) throws Exception {
    return relay.drain(Keys.TEN_EACH, count);
  }

  @Override
  public void close() {
    relay.close();
  }
}
