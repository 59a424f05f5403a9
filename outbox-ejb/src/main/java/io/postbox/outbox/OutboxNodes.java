package io.postbox.outbox;

import java.util.List;

/**
 * Lists the service's nodes, and what each last said of its relay. Injectable, thread-safe; needs
 * no transaction. The caller's transaction is suspended meanwhile, because each call is a query of
 * its own on the outbox's data source, which reads a row per node and no message.
 *
 * <p>A node reports every 5 seconds, so a circuit that opened a moment ago may be missing. A node
 * that stops in an orderly way disappears. One that died, is frozen or cannot reach the database
 * stays for a day, and is not {@link OutboxNode#alive} after 15 seconds without a report.
 */
public interface OutboxNodes {

  /**
   * The nodes: those that are alive first, then by name. At most 1,000, the last to report.
   *
   * @throws OutboxException if the table cannot be read
   */
  List<OutboxNode> list();
}
