package io.postbox.inbox.store;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PayloadCipher.AssociatedData;
import io.postbox.common.PayloadCipher.Encrypted;
import io.postbox.common.config.TableNames;
import io.postbox.common.log.MachineErrors;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SecretStore;
import io.postbox.inbox.InboxException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** The inbox's keys: the service's, and the encrypted one of the fingerprints. Thread-safe. */
public final class InboxSecretStore extends SecretStore {
  private static final AssociatedData OF_FINGERPRINTS =
      new AssociatedData("inbox_secret.secret of=12:fingerprints");

  private static final int FINGERPRINTS = 2;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public InboxSecretStore(Dialect dialect, TableNames tables) {
    super(dialect, tables.qualified("inbox_secret"));
  }

  /**
   * The key of the fingerprints. It is created at the first start with a cipher, and stored
   * encrypted with the application's current key.
   *
   * @param connection commits each statement, so that the second read sees another node's key
   * @throws InboxException if the cipher fails; then no fingerprint can be made or compared
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
        replace(connection, FINGERPRINTS, stored, KeptContents.packed(today));
      }
      return key;
    } catch (SQLException failed) {
      throw failed;
    } catch (Throwable refused) { // the application's; its text may contain part of a key
      MachineErrors.rethrow(refused);
      throw new InboxException(
          "The key of the fingerprints in inbox_secret cannot be encrypted or decrypted with the application's PayloadCipher (%s)"
              .formatted(refused.getClass().getName()),
          refused);
    }
  }

  private static Encrypted encrypted(PayloadCipher cipher, byte[] key) throws Exception {
    return cipher.encrypt(key, OF_FINGERPRINTS);
  }
}
