package io.postbox.outbox.store;

import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.IntStream;

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
    return IntStream.of(
            Sql.batch(
                connection,
                keep,
                hashes.entrySet(),
                hash -> new Object[] {hash.getValue(), partition, hash.getKey()}))
        .sum();
  }
}
