package io.postbox.it.crash;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** PostgreSQL with XA, in processes of its own that outlive the server. */
final class PostgresDatabase implements Database {
  private static final String USER = "postgres";

  private final EmbeddedPostgres postgres;
  private final Path data;

  /**
   * @param data where its files lie: made anew, and kept afterwards
   */
  PostgresDatabase(Path data) {
    this.data = data;
    try {
      ServerFolder.deleteAll(data);
      Files.createDirectories(data.getParent());
      Redirect log = Redirect.to(data.resolveSibling(data.getFileName() + ".log").toFile());
      postgres =
          EmbeddedPostgres.builder()
              .setDataDirectory(data)
              .setCleanDataDirectory(false)
              .setOutputRedirector(log)
              .setErrorRedirector(log)
              .setLocaleConfig("locale", "C")
              // The embedded one comes with these off, which is not a database to trust.
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("max_prepared_transactions", "50")
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start on " + data, e);
    }
  }

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public Map<String, String> variables() {
    return Map.of(
        "postbox.database",
        name(),
        "postbox.postgresql.host",
        "localhost",
        "postbox.postgresql.port",
        String.valueOf(postgres.getPort()),
        "postbox.postgresql.database",
        "postgres",
        "postbox.postgresql.user",
        USER,
        "postbox.postgresql.password",
        USER);
  }

  @Override
  public boolean readableBesideServer() {
    return true;
  }

  @Override
  public Connection connect() throws SQLException {
    return postgres.getPostgresDatabase().getConnection();
  }

  @Override
  public String preparedTransactions() {
    return "SELECT gid FROM pg_prepared_xacts";
  }

  @Override
  public String whereabouts() {
    return "database cluster " + data;
  }

  @Override
  public void close() {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL on " + data + " does not stop", e);
    }
  }
}
