package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.PollStore.Poll;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The claims on partitions, and the polls for work. Thread-safe. */
interface PartitionClaims {

  /**
   * Claims those of some partitions that no other node has, in one transaction; empty if others
   * have all of them.
   */
  Optional<Claim> claim(Collection<Integer> partitions) throws SQLException;

  /** Finds the lanes with messages to send. */
  Poll poll() throws SQLException;

  /** Puts delayed messages that are due back to work, and returns whether there may be more. */
  boolean wakeDelayed() throws SQLException;

  /** The sequence number of a lane's first message. */
  OptionalLong first(Lane lane) throws SQLException;

  /** A query with which an operator finds out which session holds a partition. */
  String holderQuery(int partition);

  /**
   * Claimed partitions and their transaction; closing it without a commit rolls back. Lanes must be
   * of these partitions.
   */
  interface Claim extends AutoCloseable {

    /** The partitions that were free; at least one. */
    Set<Integer> partitions();

    /** How often messages of one of the partitions were put back to work. */
    long putBack(int partition);

    /** The first messages of a lane after a sequence number, in order. */
    Batch read(Lane lane, long after, int limit) throws SQLException;

    /** Marks followers of held keys as held. */
    void hold(Lane lane, Collection<Long> seqs) throws SQLException;

    /** Stores the SHA-256 of payloads that were loaded for the first time, by sequence number. */
    void keepHashes(Lane lane, Map<Long, byte[]> hashes) throws SQLException;

    /** Writes the outcome of messages of a lane. */
    void complete(Lane lane, BatchSettlement settlement) throws SQLException;

    /** Commits, which ends the claim. */
    void commit() throws SQLException;

    @Override
    void close() throws SQLException;
  }
}
