package io.postbox.common.ops;

import static java.util.Comparator.comparing;

import io.postbox.common.store.NodeTable;
import io.postbox.common.store.NodeTable.Row;
import java.util.List;
import java.util.function.Function;

/**
 * Lists the service's nodes. Thread-safe.
 *
 * @param calls runs the query
 * @param table the module's
 * @param node the module's view of a row
 */
public record NodeQueries<T>(OperatorCalls calls, NodeTable table, Function<Row, T> node) {
  /** What is not so while they cannot be read. */
  public static final String PROBLEM = "The nodes cannot be listed";

  /** All nodes, in one query: those that are alive first, then by name. */
  public List<T> list() {
    return calls.ask(PROBLEM, table::list).stream()
        .sorted(comparing(Row::isAlive).reversed().thenComparing(row -> row.node().name()))
        .map(node)
        .toList();
  }
}
