package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.PollStore.Poll;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The claims on partitions, and the polls for work. Thread-safe. */
interface PartitionClaims {

  /** Takes a partition until the claim ends; empty if another node has it. */
  Optional<Claim> claim(int partition) throws SQLException;

  /** Finds the lanes with messages to send. */
  Poll poll() throws SQLException;

  /** Puts delayed messages to work that are due; whether there may be more. */
  boolean wakeDelayed() throws SQLException;

  /** The place in the order of a lane's first message. */
  OptionalLong first(Lane lane) throws SQLException;

  /** For a person: the query that finds out who has a partition. */
  String holderQuery(int partition);

  /** A partition in one's hands, and one transaction: closing it without a commit undoes all. */
  interface Claim extends AutoCloseable {

    /** How often messages went back to work there that had been taken out of it. */
    long putBack();

    /** The first messages to a destination, in order, behind a place in the order. */
    Batch read(String destination, long after, int limit) throws SQLException;

    /** Takes followers of held keys out of the way. */
    void hold(Collection<Long> seqs) throws SQLException;

    /** Keeps the SHA-256 of payloads that were loaded for the first time, by place in the order. */
    void keepHashes(Map<Long, byte[]> hashes) throws SQLException;

    /** Writes what became of messages. */
    void complete(BatchSettlement settlement) throws SQLException;

    /** Ends the claim, and lets all that was done count. */
    void commit() throws SQLException;

    @Override
    void close() throws SQLException;
  }
}
