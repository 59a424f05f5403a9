package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;

/**
 * The statements of a delivery.
 *
 * @param messages the completed ones
 * @param kept the kept messages
 * @param failures how handlers have fared
 * @param attempts the running ones
 * @param processes which have not ended in order
 * @param versions where aggregates stand
 * @param results what handlers left
 */
public record Stores(
    InboxStore messages,
    KeptStore kept,
    FailureStore failures,
    AttemptStore attempts,
    ProcessStore processes,
    VersionStore versions,
    ResultStore results) {

  /** Those for the tables in a database, with what turns contents into columns. */
  public static Stores of(Dialect dialect, TableNames tables, KeptContents contents) {
    return new Stores(
        new InboxStore(dialect, tables),
        new KeptStore(dialect, tables, contents),
        new FailureStore(dialect, tables, contents.texts()),
        new AttemptStore(dialect, tables),
        new ProcessStore(dialect, tables),
        new VersionStore(dialect, tables),
        new ResultStore(dialect, tables, contents.texts()));
  }
}
