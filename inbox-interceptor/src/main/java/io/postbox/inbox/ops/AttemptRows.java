package io.postbox.inbox.ops;

import io.postbox.inbox.message.Crashes.Unended;
import io.postbox.inbox.message.Heartbeat;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The tries and the processes that have not ended, in one transaction. */
public interface AttemptRows {
  /** The attempts at a message that have not ended. */
  List<Unended> left(String consumer, String messageId) throws SQLException;

  /** Puts a try on record; the answer is its row. */
  long insert(String consumer, String messageId, String node, boolean alone) throws SQLException;

  /** Says that tries are still at work; there is at least one. */
  void renew(Collection<Long> rows) throws SQLException;

  /** Takes tries off the record; there is at least one. */
  void delete(Collection<Long> rows) throws SQLException;

  /** Clears a message of all that is left. */
  void deleteAll(String consumer, String messageId) throws SQLException;

  /** Deletes attempts that were not renewed for this long. */
  void forget(Duration silentFor) throws SQLException;

  /** Says that a process lives, and puts it on record if it is not. */
  void live(String node) throws SQLException;

  /** When all processes on record but this one were last heard of. */
  List<Heartbeat> others(String node) throws SQLException;

  /** Takes a process off the record, for it ends in order. */
  void leave(String node) throws SQLException;

  /** Deletes the processes of which nothing was heard for so long. */
  void forgetProcesses(Duration silentFor) throws SQLException;

  /** Transactions of their own, outside of that of the calling thread. */
  interface Transactions {
    /** Does it on a connection that is given back when this returns, and commits. */
    <T> T commit(Work<T> work) throws SQLException;
  }

  /** The statements of one of them. */
  interface Work<T> {
    /** Does it. */
    T on(AttemptRows rows) throws SQLException;
  }
}
