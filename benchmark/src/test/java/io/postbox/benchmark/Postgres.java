package io.postbox.benchmark;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** PostgreSQL with the settings of production, and more memory than by default. */
final class Postgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  Postgres() {
    try {
      server =
          EmbeddedPostgres.builder()
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("shared_buffers", "512MB")
              .setServerConfig("max_wal_size", "4GB")
              .setServerConfig("max_prepared_transactions", "50")
              .setLocaleConfig("locale", "C")
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start", e);
    }
  }

  Connection connect() throws SQLException {
    return server.getPostgresDatabase().getConnection();
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

  /** Variables of the server, for its postgresql.xml. */
  Map<String, String> variables() {
    return Map.of(
        "postbox.database", "postgresql",
        "postbox.postgresql.port", String.valueOf(server.getPort()),
        "postbox.postgresql.database", "postgres",
        "postbox.postgresql.user", "postgres",
        "postbox.postgresql.password", "postgres");
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not stop", e);
    }
  }
}
