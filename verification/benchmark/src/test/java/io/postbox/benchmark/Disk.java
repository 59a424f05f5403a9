package io.postbox.benchmark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** The disk's own rates, which no software on it can exceed. */
final class Disk {
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(2);
  private static final int PAGE = 4096;

  private Disk() {}

  private interface Step {
    void run() throws IOException, SQLException;
  }

  /** A journal's pages written one after the other, each synchronised; per second. */
  static double synchronisedWrites(Path folder) throws Exception {
    Path file = folder.resolve("journal");
    ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
    try (FileChannel journal =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      return perSecond(
          () -> {
            page.clear();
            journal.write(page);
            journal.force(false);
          });
    } finally {
      Files.delete(file);
    }
  }

  /** Inserts of one row, each committed, on one connection; per second. */
  static double commits(Database database) throws Exception {
    database.execute("CREATE TABLE IF NOT EXISTS commits (n BIGINT)");
    try (Connection connection = database.connect();
        PreparedStatement insert = connection.prepareStatement("INSERT INTO commits VALUES (1)")) {
      return perSecond(insert::execute);
    }
  }

  private static double perSecond(Step step) throws IOException, SQLException {
    long start = System.nanoTime();
    long end = start + LONG_ENOUGH.toNanos();
    int count = 0;
    while (System.nanoTime() < end) {
      step.run();
      count++;
    }
    return count / ((System.nanoTime() - start) / 1e9);
  }
}
