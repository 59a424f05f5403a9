package io.postbox.testkit.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A disk of its own for each of some folders, small enough to be filled: a tmpfs, mounted in a name
 * space that belongs to nobody but the test, so that it takes no rights where the system lets users
 * have such. A process that is to see the disks has to be started through them; for all others the
 * folders are what they were.
 */
public final class SmallDisks implements AutoCloseable {
  /** Room for a campaign's data, several times, and for what a store sets up beforehand. */
  private static final int MEGABYTES = 200;

  private static final String FILLER = "filler";
  private static final byte[] BLOCK = new byte[1 << 16];

  private static final String MOUNTED = "mounted";

  /** Mounts them with what is in the folders, and holds them until its input ends. */
  private static final String KEEPER =
      """
      set -e
      for folder; do
        disk=$(mktemp -d)
        mount -t tmpfs -o size=%sm,mode=700 postbox "$disk"
        cp -a "$folder/." "$disk"
        chmod 700 "$disk"
        mount --move "$disk" "$folder"
        rmdir "$disk"
      done
      echo %s
      cat
      """
          .formatted(MEGABYTES, MOUNTED);

  private final List<Path> folders;
  private final Process keeper;

  private SmallDisks(List<Path> folders, Process keeper) {
    this.folders = folders;
    this.keeper = keeper;
  }

  /**
   * Makes them, and moves what lies in the folders there.
   *
   * @param folders have to exist; one that lies in another comes after it
   */
  public static SmallDisks over(List<Path> folders) {
    try {
      Process keeper = new ProcessBuilder(command(folders)).redirectErrorStream(true).start();
      BufferedReader output =
          new BufferedReader(new InputStreamReader(keeper.getInputStream(), UTF_8));
      String said = String.valueOf(output.readLine());
      if (!said.equals(MOUNTED)) {
        throw new IOException(said);
      }
      for (Path folder : folders) {
        if (Files.exists(folder)) { // and was not in another one
          Folders.empty(folder);
        }
      }
      return new SmallDisks(List.copyOf(folders), keeper);
    } catch (IOException e) {
      throw new UncheckedIOException("There are no small disks for " + folders, e);
    }
  }

  /** Why there are none on this machine; empty if there are. */
  public static Optional<String> obstacle() {
    try {
      Path folder = Files.createTempDirectory("postbox");
      try {
        over(List.of(folder)).close();
        return Optional.empty();
      } finally {
        Folders.deleteAll(folder);
      }
    } catch (IOException | UncheckedIOException e) {
      return Optional.of(String.valueOf(e.getCause() == null ? e : e.getCause()));
    }
  }

  private static List<String> command(List<Path> folders) {
    return Stream.concat(
            Stream.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", KEEPER, "sh"),
            folders.stream().map(Path::toString))
        .toList();
  }

  /** The words before a command that sees the disks; the process is that of the command. */
  public List<String> through(Path directory, List<String> command) {
    return Stream.concat(
            Stream.of(
                "nsenter",
                "--target",
                String.valueOf(keeper.pid()),
                "--user",
                "--mount",
                "--preserve-credentials",
                "env",
                "--chdir=" + directory),
            command.stream())
        .toList();
  }

  /** Where this process finds what those who see the disks find at an absolute path. */
  public Path seen(Path path) {
    return Path.of("/proc/" + keeper.pid() + "/root" + path);
  }

  /** Takes all the space that one of the folders has left. */
  void fill(Path folder) {
    try (OutputStream filler = Files.newOutputStream(filler(folder))) {
      while (true) {
        filler.write(BLOCK);
      }
    } catch (IOException full) {
      if (!String.valueOf(full.getMessage()).contains("No space left on device")) {
        throw new UncheckedIOException("The disk over " + folder + " cannot be filled", full);
      }
    }
  }

  /** Gives it back. */
  void free(Path folder) {
    try {
      Files.delete(filler(folder));
    } catch (IOException e) {
      throw new UncheckedIOException("The disk over " + folder + " stays full", e);
    }
  }

  private Path filler(Path folder) {
    return seen(folder).resolve(FILLER);
  }

  /** Leaves what is on the disks in the folders, for a person. Nobody may use them any more. */
  @Override
  public void close() {
    try {
      for (Path folder : folders) {
        Files.deleteIfExists(filler(folder));
      }
      for (Path folder : folders) {
        String all = seen(folder) + "/.";
        Process copy = new ProcessBuilder("cp", "-a", all, folder.toString()).inheritIO().start();
        if (copy.waitFor() != 0) {
          throw new IOException("cp exits with " + copy.exitValue());
        }
      }
      keeper.destroy();
    } catch (IOException e) {
      throw new UncheckedIOException("The files on the disks over " + folders + " are lost", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
