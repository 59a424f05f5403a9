package io.postbox.testkit.database;

import io.postbox.testkit.disk.SmallDisks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * H2 in a file, inside the server's process: it dies with the server. It is looked at only when the
 * server is gone, and only in a copy, because opening the file already repairs it.
 */
public final class H2Database implements Database {
  private static final String FILE = "postbox.mv.db";
  private final Path root;
  private @Nullable SmallDisks disks;

  /**
   * @param root the server's folder
   */
  public H2Database(Path root) {
    this.root = root;
  }

  /** It lies on one of these. */
  public void see(SmallDisks seen) {
    disks = seen;
  }

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public Map<String, String> variables() {
    return Map.of("postbox.database", name());
  }

  @Override
  public boolean readableBesideServer() {
    return false;
  }

  @Override
  public Connection connect() throws SQLException {
    Path copy = root.resolve("data-copy");
    Path file = root.resolve("data/h2").resolve(FILE);
    try {
      Files.createDirectories(copy);
      Files.copy(
          disks == null ? file : disks.seen(file),
          copy.resolve(FILE),
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("The database cannot be copied to " + copy, e);
    }
    return DriverManager.getConnection("jdbc:h2:file:" + copy.resolve("postbox"), "sa", "");
  }

  @Override
  public String preparedTransactions() {
    return "SELECT transaction_name FROM information_schema.in_doubt";
  }

  /** The number from a sequence: those of one process rise, over its restarts too. */
  @Override
  public String orderOfWriting() {
    return "id";
  }

  @Override
  public String whereabouts() {
    return "database " + root.resolve("data/h2").resolve(FILE);
  }

  @Override
  public void close() {
    // It lives in the server's process.
  }
}
