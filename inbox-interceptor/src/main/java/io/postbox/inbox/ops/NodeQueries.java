package io.postbox.inbox.ops;

import static java.util.Comparator.comparing;

import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.NodeTable.Row;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.NodeStore;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Lists the service's nodes. Thread-safe. */
public final class NodeQueries {
  private final LocalTransactions transactions;
  private final NodeStore store;

  /**
   * @param dataSource its connections must not be part of a transaction
   * @param store reads the rows
   */
  public NodeQueries(DataSource dataSource, NodeStore store) {
    transactions = new LocalTransactions(dataSource);
    this.store = store;
  }

  /** The nodes of rows. */
  public static List<InboxNode> nodes(List<Row> rows) {
    return rows.stream().map(NodeDetails::fromRow).toList();
  }

  /**
   * All nodes, in one query: those that are alive first, then by name.
   *
   * @throws InboxException if the table cannot be read
   */
  public List<InboxNode> list() {
    try {
      return nodes(transactions.once(LocalTransactions.brief(store::list))).stream()
          .sorted(comparing(InboxNode::alive).reversed().thenComparing(InboxNode::name))
          .toList();
    } catch (SQLException failed) {
      throw new InboxException(
          "The nodes cannot be listed: " + InboxLog.EXCEPTIONS.of(failed), failed);
    }
  }
}
