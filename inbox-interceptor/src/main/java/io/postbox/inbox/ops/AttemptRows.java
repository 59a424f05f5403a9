package io.postbox.inbox.ops;

import io.postbox.inbox.message.Crashes.Unended;
import io.postbox.inbox.message.Heartbeat;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The unended attempts and processes, in one transaction. */
public interface AttemptRows {
  /** The attempts at a message that have not ended. */
  List<Unended> left(String consumer, String messageId) throws SQLException;

  /** Inserts an attempt, and returns its row. */
  long insert(String consumer, String messageId, String node, boolean alone) throws SQLException;

  /** Renews running attempts, at least one. */
  void renew(Collection<Long> rows) throws SQLException;

  /** Deletes attempts, at least one. */
  void delete(Collection<Long> rows) throws SQLException;

  /** Deletes all attempts at a message. */
  void deleteAll(String consumer, String messageId) throws SQLException;

  /** Deletes attempts that were not renewed for this long. */
  void forget(Duration silentFor) throws SQLException;

  /** Renews the heartbeat of a process, or inserts it. */
  void live(String node) throws SQLException;

  /** The last heartbeats of all other processes. */
  List<Heartbeat> others(String node) throws SQLException;

  /** Deletes a process that stops in an orderly way. */
  void leave(String node) throws SQLException;

  /** Deletes the processes that had no heartbeat for this long. */
  void forgetProcesses(Duration silentFor) throws SQLException;

  /** Deletes those of this process's machine, which has replaced them. */
  void forgetReplaced(Duration silentFor) throws SQLException;

  /** Transactions of their own, outside of the calling thread's. */
  interface Transactions {
    /** Runs the work and commits; the connection is returned before this method returns. */
    <T> T commit(Work<T> work) throws SQLException;
  }

  /** The statements of one transaction. */
  interface Work<T> {
    /** Runs the statements. */
    T on(AttemptRows rows) throws SQLException;
  }
}
