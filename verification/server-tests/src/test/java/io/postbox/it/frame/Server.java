package io.postbox.it.frame;

import io.postbox.it.tools.Log;
import io.postbox.testkit.server.MBeans;
import io.postbox.testkit.server.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The server as it looks from outside. */
public final class Server {
  private Server() {}

  /** Its HTTP port. */
  public static int port() {
    return Integer.getInteger("postbox.http.port");
  }

  /** Its log since its start. */
  public static Log log() {
    return new Log(folder().resolve("logs/messages.log"), 0);
  }

  /** Its log from now on. */
  public static Log logFromNow() {
    return Log.fromNow(folder().resolve("logs/messages.log"));
  }

  /** PostgreSQL's log from now on, which has each statement. */
  public static Log postgresLogFromNow() {
    return Log.fromNow(Path.of(System.getProperty("it.postgres.log")));
  }

  /** The virtual machine that it runs in. */
  public static Machine machine() {
    return new Machine(mbeans());
  }

  /** Its MBeans. */
  public static MBeans mbeans() {
    return MBeans.ofLibertyIn(folder());
  }

  /** Takes an archive away whose deployment was refused; Arquillian leaves it. */
  public static void remove(String archive) {
    try {
      Files.deleteIfExists(folder().resolve("dropins").resolve(archive));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder() {
    return Path.of(System.getProperty("postbox.wlp"), "usr", "servers")
        .resolve(System.getProperty("postbox.server"));
  }
}
