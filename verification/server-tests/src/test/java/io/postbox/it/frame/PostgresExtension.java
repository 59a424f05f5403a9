package io.postbox.it.frame;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import org.jboss.arquillian.container.spi.event.container.AfterStart;
import org.jboss.arquillian.container.spi.event.container.AfterStop;
import org.jboss.arquillian.container.spi.event.container.BeforeStart;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.spi.LoadableExtension;

/**
 * Makes the server before its start, checks its ports after it, and starts one PostgreSQL before it
 * and stops it after, which logs each statement that it gets.
 */
public class PostgresExtension implements LoadableExtension {

  @Override
  public void register(ExtensionBuilder builder) {
    builder.observer(Database.class);
  }

  /** Made by Arquillian. */
  public static class Database {
    private EmbeddedPostgres postgres;

    void start(@Observes BeforeStart event) throws IOException {
      ServerOfThisJvm.create();
      Redirect log = Redirect.appendTo(new File(System.getProperty("it.postgres.log")));
      postgres =
          EmbeddedPostgres.builder()
              .setPGStartupWait(Duration.ofMinutes(1))
              .setPort(Integer.getInteger("it.postgres.port"))
              .setLocaleConfig("locale", "C")
              // durable as a real one; its own defaults are for tests that do not care
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("max_prepared_transactions", "50")
              .setServerConfig("wal_level", "logical")
              // the process before each line tells the connection
              .setServerConfig("log_statement", "all")
              .setServerConfig("log_line_prefix", "[%p] ")
              .setOutputRedirector(log)
              .setErrorRedirector(log)
              .start();
    }

    void check(@Observes AfterStart event) throws IOException {
      ServerOfThisJvm.check();
    }

    void stop(@Observes AfterStop event) throws IOException {
      if (postgres != null) {
        postgres.close();
      }
    }
  }
}
