package io.postbox.benchmark;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One connection and its statements that are kept: claim, read the relay's columns, delete. */
final class Claims implements AutoCloseable {
  private final Connection connection;
  private final PreparedStatement claim;
  private final PreparedStatement read;
  private final PreparedStatement delete;

  Claims(Table table) throws SQLException {
    connection = table.database().connect();
    connection.setAutoCommit(false);
    claim =
        connection.prepareStatement(
            "SELECT put_back FROM %s WHERE partition_no = ? FOR UPDATE SKIP LOCKED"
                .formatted(table.partitions()));
    read =
        connection.prepareStatement(
            """
            SELECT seq, id, destination, ordering_key, aggregate_type, aggregate_id, event_type,
              schema_version, content_type, payload_text, payload_bytes, reference_table,
              reference_id, payload_sha256, payload_key, headers, trace_parent, attempts,
              created_at, expires_at
            FROM %s
            WHERE status = 'PENDING' AND partition_no = ? AND destination = 'drain' AND seq > ?
            ORDER BY seq LIMIT ?
            """
                .formatted(table.messages()));
    delete =
        connection.prepareStatement(
            "DELETE FROM %s WHERE partition_no = ? AND seq BETWEEN ? AND ? AND seq = ANY (?)"
                .formatted(table.messages()));
  }

  void claim(int partition) throws SQLException {
    claim.setInt(1, partition);
    claim.executeQuery().close();
  }

  List<Row> read(int partition, long after, int limit) throws SQLException {
    read.setInt(1, partition);
    read.setLong(2, after);
    read.setInt(3, limit);
    List<Row> rows = new ArrayList<>(limit);
    try (ResultSet row = read.executeQuery()) {
      while (row.next()) {
        rows.add(Row.of(row));
      }
    }
    return rows;
  }

  void delete(int partition, List<Row> rows) throws SQLException {
    Array seqs =
        connection.createArrayOf("BIGINT", rows.stream().map(Row::seq).toArray(Long[]::new));
    delete.setInt(1, partition);
    delete.setLong(2, rows.get(0).seq());
    delete.setLong(3, rows.get(rows.size() - 1).seq());
    delete.setArray(4, seqs);
    delete.executeUpdate();
  }

  void commit() throws SQLException {
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
