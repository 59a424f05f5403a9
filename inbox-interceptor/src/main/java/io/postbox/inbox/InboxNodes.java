package io.postbox.inbox;

import java.util.List;

/**
 * Lists the service's nodes, and what each last said of its inbox. Injectable, thread-safe; needs
 * no transaction. The caller's transaction is suspended meanwhile, because each call is a query of
 * its own on the inbox's data source, which reads a row per node and no message.
 *
 * <p>A node reports every 5 seconds, the first time 5 seconds after its start or before its first
 * delivery. A node that stops in an orderly way disappears. One that died, is frozen or cannot
 * reach the database stays for a day, and is not {@link InboxNode#alive} after 15 seconds without a
 * report.
 */
public interface InboxNodes {

  /**
   * The nodes: those that are alive first, then by name. At most 1,000, the last to report.
   *
   * @throws InboxException if the table cannot be read
   */
  List<InboxNode> list();
}
