package io.postbox.benchmark;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * One database of the PostgreSQL that all share.
 *
 * @param server where it is
 * @param name its name
 */
record Database(EmbeddedPostgres server, String name) {
  static final String USER = "postgres";

  /** Each connection is new. */
  DataSource dataSource() {
    return server.getDatabase(USER, name);
  }

  Connection connect() throws SQLException {
    return dataSource().getConnection();
  }

  int port() {
    return server.getPort();
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Ids of messages as the outbox makes them, one greater than the other. */
  List<UUID> newIds(int count) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT uuidv7() FROM generate_series(1, %s)".formatted(count))) {
      while (row.next()) {
        ids.add(row.getObject(1, UUID.class));
      }
    }
    return ids;
  }

  /** Variables of a server, for its postgresql.xml. */
  Map<String, String> variables() {
    return Map.of(
        "postbox.database", "postgresql",
        "postbox.postgresql.port", String.valueOf(port()),
        "postbox.postgresql.database", name,
        "postbox.postgresql.user", USER,
        "postbox.postgresql.password", USER);
  }
}
