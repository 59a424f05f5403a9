package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SwitchTable;
import java.sql.Connection;
import java.sql.SQLException;

/** The paused consumers. Thread-safe. */
public final class CaptureSwitchStore extends SwitchTable {
  private final ConsumerNames remembered;

  public CaptureSwitchStore(Dialect dialect, TableNames tables) {
    super(dialect, tables.qualified("inbox_switch"), "consumer");
    remembered = ConsumerNames.ofMessages(dialect, tables);
  }

  /** Whether the inbox has ids of a consumer's messages. */
  public boolean isRemembered(Connection connection, String consumer) throws SQLException {
    return remembered.read(connection).contains(consumer);
  }
}
