package io.postbox.postgresql;

import java.sql.SQLException;
import java.util.Set;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.postgresql.core.BaseConnection;
import org.postgresql.xa.PGXAConnection;

/**
 * A connection whose second phase fails in such a way that it is tried again. When PostgreSQL cuts
 * sessions off, because it stops or because one of its processes has died, the driver answers
 * XAER_RMERR to the commit or roll-back of what is prepared (pgjdbc issue 4438). A transaction
 * manager takes that for the database's own last word, and forgets a transaction that is still
 * prepared and holds its locks. XAER_RMFAIL says what has happened: the database is not there, ask
 * it later.
 */
final class RecoverableXAConnection extends PGXAConnection {
  /** Ended by an administrator, ended because another process crashed, cannot connect now. */
  private static final Set<String> GONE = Set.of("57P01", "57P02", "57P03");

  RecoverableXAConnection(BaseConnection connection) throws SQLException {
    super(connection);
  }

  @Override
  public void commit(Xid xid, boolean onePhase) throws XAException {
    try {
      super.commit(xid, onePhase);
    } catch (XAException failed) {
      throw onePhase ? failed : translate(failed);
    }
  }

  @Override
  public void rollback(Xid xid) throws XAException {
    try {
      super.rollback(xid);
    } catch (XAException failed) {
      throw translate(failed);
    }
  }

  /** The same, or one that says that the database is gone. */
  static XAException translate(XAException failed) {
    if (failed.errorCode != XAException.XAER_RMERR
        || !(failed.getCause() instanceof SQLException cause)
        || !GONE.contains(String.valueOf(cause.getSQLState()))) {
      return failed;
    }
    XAException gone = new XAException(XAException.XAER_RMFAIL);
    gone.initCause(failed);
    return gone;
  }
}
