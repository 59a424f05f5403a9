package io.postbox.benchmark;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Map;

/** PostgreSQL with the settings of production, and more memory than by default. */
final class Postgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  /**
   * @param more settings of this one alone
   */
  Postgres(Map<String, String> more) {
    EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
    more.forEach(builder::setServerConfig);
    try {
      server =
          builder
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("shared_buffers", "512MB")
              .setServerConfig("max_wal_size", "4GB")
              .setServerConfig("max_connections", "200")
              .setServerConfig("max_prepared_transactions", "50")
              .setLocaleConfig("locale", "C")
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start", e);
    }
  }

  /** A new and empty database. */
  Database database(String name) throws SQLException {
    new Database(server, "postgres").execute("CREATE DATABASE " + name);
    return new Database(server, name);
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
