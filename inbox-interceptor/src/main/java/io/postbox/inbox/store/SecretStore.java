package io.postbox.inbox.store;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PayloadCipher.AssociatedData;
import io.postbox.common.PayloadCipher.Encrypted;
import io.postbox.common.config.TableNames;
import io.postbox.inbox.InboxException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The keys of the service that owns the tables, the same for all its nodes. Thread-safe. */
public final class SecretStore {
  /** As many bytes as SHA-256 has. */
  private static final int LENGTH = 32;

  private static final AssociatedData OF_FINGERPRINTS =
      new AssociatedData("inbox_secret.secret of=12:fingerprints");

  private static final int PROOFS = 1;
  private static final int FINGERPRINTS = 2;

  private final Dialect dialect;
  private final String select;
  private final String insert;
  private final String update;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public SecretStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    String table = tables.qualified("inbox_secret");
    select = "SELECT secret FROM %s WHERE id = ?".formatted(table);
    insert =
        "INSERT INTO %s (id, secret) VALUES (?, ?) %s".formatted(table, dialect.unlessItIsThere());
    update = "UPDATE %s SET secret = ? WHERE id = ? AND secret = ?".formatted(table);
  }

  /**
   * The key of the proofs; made at the first start, by one node of those that start at the same
   * time.
   *
   * @param connection commits each statement, so that the second look sees another node's key
   */
  public byte[] readOrMake(Connection connection) throws SQLException {
    Optional<byte[]> found = read(connection, PROOFS);
    return found.isPresent() ? found.get() : make(connection, PROOFS, random());
  }

  /**
   * The key of the fingerprints, which is encrypted with the application's key of the day; made at
   * the first start with a cipher.
   *
   * @param connection commits each statement, so that the second look sees another node's key
   * @throws InboxException if the cipher fails; whatever has to do with fingerprints has to wait
   */
  public byte[] readOrMakeFingerprintKey(Connection connection, PayloadCipher cipher)
      throws SQLException {
    try {
      Optional<byte[]> there = read(connection, FINGERPRINTS);
      byte[] stored =
          there.isPresent()
              ? there.get()
              : make(connection, FINGERPRINTS, KeptContents.packed(encrypted(cipher, random())));
      Encrypted found = KeptContents.unpacked(stored);
      byte[] key = cipher.decrypt(found, OF_FINGERPRINTS);
      Encrypted today = encrypted(cipher, key);
      if (!today.keyId().equals(found.keyId())) {
        replace(connection, stored, KeptContents.packed(today));
      }
      return key;
    } catch (SQLException failed) {
      throw failed;
    } catch (Exception refused) { // the application's; what it says may be part of a key
      throw new InboxException(
          "The key of the fingerprints in inbox_secret cannot be encrypted or decrypted with the application's PayloadCipher (%s)"
              .formatted(refused.getClass().getName()),
          refused);
    }
  }

  private byte[] make(Connection connection, int id, byte[] secret) throws SQLException {
    insert(connection, id, secret);
    return read(connection, id)
        .orElseThrow(() -> new SQLException("the key in inbox_secret was there and is gone again"));
  }

  private Optional<byte[]> read(Connection connection, int id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setInt(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
      }
    }
  }

  private void insert(Connection connection, int id, byte[] secret) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setInt(1, id);
      statement.setBytes(2, secret);
      dialect.insertsUnlessThere(statement);
    }
  }

  /** Unless another node has. */
  private void replace(Connection connection, byte[] before, byte[] after) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      statement.setBytes(1, after);
      statement.setInt(2, FINGERPRINTS);
      statement.setBytes(3, before);
      statement.executeUpdate();
    }
  }

  private static Encrypted encrypted(PayloadCipher cipher, byte[] key) throws Exception {
    return cipher.encrypt(key, OF_FINGERPRINTS);
  }

  private static byte[] random() {
    byte[] secret = new byte[LENGTH];
    new SecureRandom().nextBytes(secret);
    return secret;
  }
}
