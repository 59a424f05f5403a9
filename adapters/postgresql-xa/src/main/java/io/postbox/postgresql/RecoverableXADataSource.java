package io.postbox.postgresql;

import java.sql.SQLException;
import javax.sql.XAConnection;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.xa.PGXADataSource;

/**
 * PostgreSQL's XA data source, but a database that goes down between the two phases is said to be
 * gone, and not to have decided otherwise. See {@link RecoverableXAConnection}.
 */
@SuppressWarnings("serial") // the original is serialisable by its parent only
public final class RecoverableXADataSource extends PGXADataSource {

  @Override
  public XAConnection getXAConnection() throws SQLException {
    return getXAConnection(getUser(), getPassword());
  }

  @Override
  public XAConnection getXAConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    return new RecoverableXAConnection((BaseConnection) getConnection(user, password));
  }
}
