package io.postbox.outbox.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;

/** Stores the hashes of referenced payloads at their first load. Thread-safe. */
final class PayloadHashes {
  private final String keep;

  PayloadHashes(String message) {
    keep =
        """
        UPDATE %s SET payload_sha256 = ?
        WHERE partition_no = ? AND seq = ? AND status = 'PENDING' AND payload_sha256 IS NULL
        """
            .formatted(message);
  }

  int keep(Connection connection, int partition, Map<Long, byte[]> hashes) throws SQLException {
    int kept = 0;
    try (PreparedStatement statement = connection.prepareStatement(keep)) {
      for (Map.Entry<Long, byte[]> hash : hashes.entrySet()) {
        statement.setBytes(1, hash.getValue());
        statement.setInt(2, partition);
        statement.setLong(3, hash.getKey());
        statement.addBatch();
      }
      for (int changed : statement.executeBatch()) {
        kept += changed;
      }
    }
    return kept;
  }
}
