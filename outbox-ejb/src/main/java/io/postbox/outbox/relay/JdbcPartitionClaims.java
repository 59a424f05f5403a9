package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import io.postbox.outbox.store.PollStore;
import io.postbox.outbox.store.PollStore.Poll;
import io.postbox.outbox.store.PollStore.Woken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * Claims as row locks of the database: the claim ends with its transaction.
 *
 * @param dataSource where the tables are; connections must not be part of a transaction
 * @param relay the statements of a claim
 * @param polls the statements without one
 */
record JdbcPartitionClaims(DataSource dataSource, ClaimStore relay, PollStore polls)
    implements PartitionClaims {

  @Override
  public Optional<Claim> claim(int partition) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      connection.setAutoCommit(false);
      Optional<Long> putBack = relay.claim(connection, partition);
      if (putBack.isPresent()) {
        return Optional.of(new JdbcClaim(connection, relay, partition, putBack.get()));
      }
      connection.rollback();
    } catch (Throwable failed) { // also after an Error: the server may reuse this connection
      end(connection, failed);
      throw failed;
    }
    connection.close();
    return Optional.empty();
  }

  private static void end(Connection connection, Throwable because) {
    try (connection) {
      connection.rollback();
    } catch (SQLException failed) {
      because.addSuppressed(failed);
    }
  }

  @Override
  public Poll poll() throws SQLException {
    return ask(polls::poll);
  }

  @Override
  public Woken wakeDelayed() throws SQLException {
    return ask(polls::wakeDelayed);
  }

  @Override
  public OptionalLong first(Lane lane) throws SQLException {
    return ask(connection -> polls.first(connection, lane));
  }

  @Override
  public String holderQuery(int partition) {
    return polls.holderQuery(partition);
  }

  private <T> T ask(LocalTransactions.Work<T> query) throws SQLException {
    return new LocalTransactions(dataSource).eachAlone(query);
  }

  /** One claim, on one thread. */
  private static final class JdbcClaim implements Claim {
    private final Connection connection;
    private final ClaimStore store;
    private final int partition;
    private final long putBack;
    private boolean committed;

    JdbcClaim(Connection connection, ClaimStore store, int partition, long putBack) {
      this.connection = connection;
      this.store = store;
      this.partition = partition;
      this.putBack = putBack;
    }

    @Override
    public long putBack() {
      return putBack;
    }

    @Override
    public Batch read(String destination, long after, int limit) throws SQLException {
      return store.read(connection, lane(destination), after, limit);
    }

    private Lane lane(String destination) {
      return new Lane(partition, destination);
    }

    @Override
    public void hold(String destination, Collection<Long> seqs) throws SQLException {
      if (!seqs.isEmpty()) {
        expect(seqs.size(), store.hold(connection, lane(destination), seqs), "hold");
      }
    }

    @Override
    public void keepHashes(Map<Long, byte[]> hashes) throws SQLException {
      if (!hashes.isEmpty()) {
        int kept = store.keepHashes(connection, partition, hashes);
        expect(hashes.size(), kept, "keep the hash of");
      }
    }

    @Override
    public void complete(
        String destination, BatchSettlement settlement, Map<RecordedError, String> texts)
        throws SQLException {
      if (!settlement.sent().isEmpty()) {
        int found = store.complete(connection, lane(destination), settlement.sent());
        expect(settlement.sent().size(), found, "complete");
      }
      if (!settlement.failures().isEmpty()) {
        int counted = store.fail(connection, partition, settlement.failures(), texts);
        expect(settlement.failures().size(), counted, "count the attempts of");
      }
      for (HeldKey key : settlement.hold()) {
        store.holdKey(connection, partition, key);
      }
      store.releaseKeys(connection, partition, settlement.release());
    }

    private void expect(int wanted, int found, String verb) {
      if (wanted != found) {
        throw new IllegalStateException(
            "Broken invariant: wanted to %s %s messages of partition %s while holding its lock, and found %s. Something else changes the table. The transaction is rolled back, and the relay sends the batch again."
                .formatted(verb, wanted, partition, found));
      }
    }

    @Override
    public void commit() throws SQLException {
      connection.commit();
      committed = true;
    }

    @Override
    public void close() throws SQLException {
      try (connection) {
        if (!committed) {
          connection.rollback();
        }
      }
    }
  }
}
