package io.postbox.testkit.database;

/** A process beside the servers that they cannot do without. */
public interface Backend {
  /** The database, to the servers. */
  String DATABASE = "DATABASE";

  /** The message broker, to the servers. */
  String BROKER = "BROKER";

  /** The write-ahead log of PostgreSQL. */
  String DATABASE_LOG = "DATABASE_LOG";

  /** SIGKILL, and waits until it is gone. */
  void kill();

  /** Starts it again on what it has written down, and waits until it answers. */
  void start();

  /** SIGSTOP: connections stay open, new ones are made, nobody answers. */
  void freeze();

  /** SIGCONT: it goes on where it was stopped. */
  void thaw();
}
