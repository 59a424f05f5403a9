package io.postbox.outbox;

import java.util.List;
import java.util.Optional;

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

  /**
   * Says who holds the lock of a partition at this moment: a session with process id, application
   * name and address, or a prepared transaction with its name. A worker of a relay holds it, too,
   * while it sends; ask about a {@link OutboxNode.StuckPartition}.
   *
   * @param partition its number
   * @return empty if nobody holds it, and on H2, which does not tell
   * @throws OutboxException if the database does not tell
   */
  Optional<String> holder(int partition);
}
