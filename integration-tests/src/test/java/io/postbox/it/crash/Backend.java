package io.postbox.it.crash;

/** A process beside the servers that they cannot do without. */
interface Backend {
  /** SIGKILL, and waits until it is gone. */
  void kill();

  /** Starts it again on what it has written down, and waits until it answers. */
  void start();

  /** SIGSTOP: connections stay open, new ones are made, nobody answers. */
  void freeze();

  /** SIGCONT: it goes on where it was stopped. */
  void thaw();
}
