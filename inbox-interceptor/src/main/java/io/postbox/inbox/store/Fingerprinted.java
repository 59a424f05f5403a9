package io.postbox.inbox.store;

import io.postbox.inbox.message.Fingerprint;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Stores fingerprints in two columns: the digest as bytes, and the version. */
final class Fingerprinted {
  private Fingerprinted() {}

  static void set(PreparedStatement statement, int index, @Nullable Fingerprint fingerprint)
      throws SQLException {
    if (fingerprint == null) {
      statement.setBytes(index, null);
      statement.setNull(index + 1, Types.INTEGER);
    } else {
      statement.setBytes(index, HexFormat.of().parseHex(fingerprint.sha256()));
      statement.setInt(index + 1, fingerprint.version());
    }
  }

  static Fingerprint get(ResultSet row, int index) throws SQLException {
    return new Fingerprint(row.getInt(index + 1), HexFormat.of().formatHex(row.getBytes(index)));
  }
}
