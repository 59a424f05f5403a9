package io.postbox.common.store;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The keys of the service that owns the tables, the same for all its nodes. Each statement must be
 * committed by itself, so that a node reads the key that another node has inserted meanwhile.
 * Thread-safe.
 */
public class SecretStore {
  /** As many bytes as SHA-256 has. */
  private static final int LENGTH = 32;

  private static final int SERVICE_KEY = 1;

  private final Dialect dialect;
  private final String table;
  private final String select;
  private final String insert;
  private final String update;

  /**
   * @param dialect the database's
   * @param table the qualified name of the table of keys
   */
  public SecretStore(Dialect dialect, String table) {
    this.dialect = dialect;
    this.table = table;
    select = "SELECT secret FROM %s WHERE id = ?".formatted(table);
    insert =
        "INSERT INTO %s (id, secret) VALUES (?, ?) %s"
            .formatted(table, dialect.onConflictDoNothing());
    update = "UPDATE %s SET secret = ? WHERE id = ? AND secret = ?".formatted(table);
  }

  /**
   * The service's key, generated at the first start by one of the nodes.
   *
   * @param connection with autocommit
   */
  public final byte[] readOrMake(Connection connection) throws SQLException {
    Optional<byte[]> found = read(connection, SERVICE_KEY);
    return found.isPresent() ? found.get() : make(connection, SERVICE_KEY, random());
  }

  /** Inserts a secret, unless another node has, and reads the one that is stored. */
  protected final byte[] make(Connection connection, int id, byte[] secret) throws SQLException {
    dialect.insertIfAbsent(connection, insert, id, secret);
    return read(connection, id)
        .orElseThrow(
            () -> new SQLException("The key in %s was deleted while it was read".formatted(table)));
  }

  protected final Optional<byte[]> read(Connection connection, int id) throws SQLException {
    return Sql.first(connection, select, row -> row.getBytes(1), id);
  }

  /** Replaces a secret, unless another node has. */
  protected final void replace(Connection connection, int id, byte[] before, byte[] after)
      throws SQLException {
    Sql.update(connection, update, after, id, before);
  }

  protected static byte[] random() {
    byte[] secret = new byte[LENGTH];
    new SecureRandom().nextBytes(secret);
    return secret;
  }
}
