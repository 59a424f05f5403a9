package io.postbox.common;

import java.time.Instant;
import java.util.List;

/** A node of the service, as it last reported. All times are by the database's clock. */
public interface ServiceNode {
  /** Unique: process id, host and a random part, which changes with each start. */
  String name();

  /** The machine's name. */
  String host();

  /** Postbox's version. */
  String version();

  /** When the application started there. */
  Instant startedAt();

  /** When the node reported this. */
  Instant aliveAt();

  /** When the report was read, so that ages do not depend on the reader's clock. */
  Instant readAt();

  /** Whether it has reported within the last 15 seconds. */
  boolean alive();

  /** The names of what its guarantee check found at start. */
  List<String> findings();

  /** The names of findings for which its server cannot be asked. */
  List<String> notChecked();
}
