package io.postbox.inbox.ops;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.store.CapturedStore;
import io.postbox.inbox.store.KeptContents;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The places that parked messages have among the captured ones, if they were captured. Thread-safe.
 */
final class CapturedPlaces {
  private final TableNames tables;
  private final KeptContents contents;
  private volatile @Nullable CapturedStore store;

  /**
   * @param tables where the tables are
   * @param contents encrypts contents, if there is a cipher
   */
  CapturedPlaces(TableNames tables, KeptContents contents) {
    this.tables = tables;
    this.contents = contents;
  }

  /**
   * Has a parked message handled again in its place.
   *
   * @return whether it was captured; otherwise it has to be sent
   */
  boolean restore(Connection connection, String consumer, String messageId, Content content)
      throws SQLException {
    return store(connection).restore(connection, consumer, messageId, content);
  }

  /**
   * Discards a parked message at its place, if it was captured.
   *
   * @param waits whether to wait for another transaction that has its ordering key
   * @return false if nothing was changed because one has
   */
  boolean discard(Connection connection, String consumer, String messageId, boolean waits)
      throws SQLException {
    return store(connection).discard(connection, consumer, messageId, waits);
  }

  private CapturedStore store(Connection connection) throws SQLException {
    CapturedStore known = store;
    if (known == null) {
      known = new CapturedStore(Dialect.of(connection, "inbox"), tables, contents);
      store = known;
    }
    return known;
  }
}
