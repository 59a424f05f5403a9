package io.postbox.benchmark;

/** The ordering keys of a backlog, in SQL over the number {@code n} of a message, from zero. */
enum Keys {
  /** Ten messages for each key. */
  TEN_EACH("'k' || n % 16 || '-' || n / 160", "n % 16", "FALSE"),
  /** None: the messages have no order. */
  NONE("NULL", "n % 16", "FALSE"),
  /** The same for all, which are so in one partition. */
  ONE("'hot'", "0", "FALSE"),
  /** Ten messages for each key, and the first message of every tenth key cannot be built. */
  FAILING_TENTH("'k' || n % 16 || '-' || n / 160", "n % 16", "(n / 160 + n % 16) % 10 = 0");

  private final String key;
  private final String partition;
  private final String doomed;

  Keys(String key, String partition, String doomed) {
    this.key = key;
    this.partition = partition;
    this.doomed = doomed;
  }

  String key() {
    return key;
  }

  String partition() {
    return partition;
  }

  /** Whether the message's key is one that fails, and so none of its messages is sent. */
  String doomed() {
    return doomed;
  }
}
