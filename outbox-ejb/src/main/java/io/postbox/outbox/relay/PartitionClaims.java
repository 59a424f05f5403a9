package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.PollStore.Poll;
import io.postbox.outbox.store.PollStore.Woken;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The claims on partitions, and the polls for work. Thread-safe. */
interface PartitionClaims {

  /** Claims a partition until the claim is closed; empty if another node has it. */
  Optional<Claim> claim(int partition) throws SQLException;

  /** Finds the lanes with messages to send. */
  Poll poll() throws SQLException;

  /** Puts delayed messages that are due back to work, a bounded number of them. */
  Woken wakeDelayed() throws SQLException;

  /** The sequence number of a lane's first message. */
  OptionalLong first(Lane lane) throws SQLException;

  /** A query with which an operator finds out which session holds a partition. */
  String holderQuery(int partition);

  /** A claimed partition and its transaction; closing it without a commit rolls back. */
  interface Claim extends AutoCloseable {

    /** How often messages of the partition were put back to work. */
    long putBack();

    /** The first messages to a destination after a sequence number, in order. */
    Batch read(String destination, long after, int limit) throws SQLException;

    /** Marks followers of held keys as held. */
    void hold(String destination, Collection<Long> seqs) throws SQLException;

    /** Stores the SHA-256 of payloads that were loaded for the first time, by sequence number. */
    void keepHashes(Map<Long, byte[]> hashes) throws SQLException;

    /**
     * Writes the outcome of messages to a destination.
     *
     * @param texts what is stored of each error
     */
    void complete(String destination, BatchSettlement settlement, Map<RecordedError, String> texts)
        throws SQLException;

    /** Commits, which ends the claim. */
    void commit() throws SQLException;

    @Override
    void close() throws SQLException;
  }
}
