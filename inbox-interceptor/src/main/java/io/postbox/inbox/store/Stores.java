package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;

/**
 * The statements of a delivery.
 *
 * @param messages the completed messages
 * @param kept the kept messages
 * @param failures the handlers' failures
 * @param attempts the running attempts
 * @param nodes the nodes that run or ended without an orderly stop
 * @param versions the places of aggregates
 * @param results the handlers' results
 * @param captured the captured messages
 */
public record Stores(
    InboxStore messages,
    KeptStore kept,
    FailureStore failures,
    AttemptStore attempts,
    NodeStore nodes,
    VersionStore versions,
    ResultStore results,
    CapturedStore captured) {

  /** The statements for the tables in a database. */
  public static Stores of(Dialect dialect, TableNames tables, KeptContents contents) {
    return new Stores(
        new InboxStore(dialect, tables),
        new KeptStore(dialect, tables, contents),
        new FailureStore(dialect, tables, contents.texts()),
        new AttemptStore(dialect, tables),
        new NodeStore(dialect, tables),
        new VersionStore(dialect, tables),
        new ResultStore(dialect, tables, contents.texts()),
        new CapturedStore(dialect, tables, contents));
  }
}
