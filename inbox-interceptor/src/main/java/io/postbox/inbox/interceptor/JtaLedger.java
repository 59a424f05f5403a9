package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.guard.Ledger;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.store.InboxStore;
import io.postbox.inbox.store.SchemaException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The ledger on the application's data source. The server makes its connections part of the
 * transaction that the calling thread is in. Thread-safe.
 */
final class JtaLedger implements Ledger {
  private final Installation installation;
  private final Runnable prepareOutside;

  /** Work on a connection of the delivery's transaction. */
  private interface Work<T> {
    T on(InboxStore store, Connection connection) throws SQLException;
  }

  /**
   * @param installation where the tables are
   * @param prepareOutside prepares the installation outside of the delivery's transaction
   */
  JtaLedger(Installation installation, Runnable prepareOutside) {
    this.installation = installation;
    this.prepareOutside = prepareOutside;
  }

  @Override
  public boolean insertIfAbsent(Delivery delivery, String messageId) {
    return call(
        delivery.consumer(),
        messageId,
        (store, connection) -> store.insertIfAbsent(connection, delivery, messageId));
  }

  @Override
  public Optional<Fingerprint> fingerprintOf(String consumer, String messageId) {
    return call(
        consumer,
        messageId,
        (store, connection) -> store.fingerprintOf(connection, consumer, messageId));
  }

  @Override
  public void quarantine(Quarantined quarantined) {
    String id = quarantined.messageId();
    call(
        quarantined.consumer(),
        id == null ? "without a usable id" : id,
        (store, connection) -> {
          store.quarantine(connection, quarantined);
          return true;
        });
  }

  private <T> T call(String consumer, String messageId, Work<T> work) {
    try {
      InboxStore store = store();
      try (Connection connection = installation.dataSource().getConnection()) {
        return work.on(store, connection);
      }
    } catch (SQLException | SchemaException failed) {
      throw new InboxException(
          "Message "
              + messageId
              + " for the consumer '"
              + consumer
              + "' was not handled, because the inbox's database failed: "
              + failed.getMessage()
              + ". The delivery is rolled back, and the message comes again.",
          failed);
    }
  }

  private InboxStore store() throws SQLException {
    if (installation.store().isEmpty()) {
      prepareOutside.run();
    }
    return installation.store().orElseThrow(() -> new SQLException(installation.problem()));
  }
}
