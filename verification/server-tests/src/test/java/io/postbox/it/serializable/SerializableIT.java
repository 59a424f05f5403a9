package io.postbox.it.serializable;

import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Log;
import java.time.Duration;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

@ArquillianTest
class SerializableIT {
  private static final int MESSAGES = 50;
  private static final Duration LONGEST = Duration.ofMinutes(2);

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(
        SerializableIT.class,
        "serializable",
        Archives.settings(
            "serializable",
            "postbox.outbox.data-source",
            "jdbc/pg",
            "postbox.inbox.data-source",
            "jdbc/pg-serializable",
            "postbox.inbox.connection-factory",
            "jms/cf",
            "postbox.inbox.max-attempts",
            "1",
            "postbox.inbox.backoff.first",
            "50ms",
            "postbox.inbox.backoff.max",
            "500ms"));
  }

  /** With a budget of one try, a conflict that counted would park its message. */
  @Test
  void conflictsAreRedeliveredAndDoNotCount() {
    database().run("CREATE TABLE IF NOT EXISTS serializable_till (coins INTEGER NOT NULL)");
    database().run("DELETE FROM serializable_till");
    database().run("INSERT INTO serializable_till VALUES (0)");

    for (int i = 0; i < MESSAGES; i++) {
      Broker.send("jms/serializable", UUID.randomUUID(), "a coin", 1);
    }

    patience(LONGEST)
        .untilAsserted(
            () ->
                assertThat(database().value("SELECT coins FROM serializable_till"))
                    .isEqualTo(String.valueOf(MESSAGES)));
    assertThat(database().count("serializable_inbox_stored")).isZero();
    assertThat(database().count("serializable_inbox_failure WHERE kind = 'TRANSIENT'"))
        .as("conflicts")
        .isPositive();
    assertThat(database().count("serializable_inbox_failure WHERE kind <> 'TRANSIENT'")).isZero();
    assertThat(Log.ofServer().lines("IBX0030", "serializable", "isolation")).hasSize(1);
  }

  /** The till's, past the isolation in which a mere reader can be the one that is refused. */
  private static Database database() {
    return Database.at("jdbc/pg");
  }
}
