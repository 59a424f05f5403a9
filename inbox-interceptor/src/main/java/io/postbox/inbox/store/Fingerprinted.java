package io.postbox.inbox.store;

import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Fingerprint;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Stores fingerprints in two columns: the digest as bytes, and the version. */
final class Fingerprinted {
  private Fingerprinted() {}

  static Sql.Values values(@Nullable Fingerprint fingerprint) {
    return fingerprint == null
        ? Sql.values(null, null)
        : Sql.values(HexFormat.of().parseHex(fingerprint.sha256()), fingerprint.version());
  }

  static Fingerprint get(ResultSet row, int index) throws SQLException {
    return new Fingerprint(row.getInt(index + 1), HexFormat.of().formatHex(row.getBytes(index)));
  }
}
