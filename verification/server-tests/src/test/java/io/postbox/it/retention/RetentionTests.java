package io.postbox.it.retention;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.Server;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Eventually;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.TestApplication;
import java.time.Duration;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * One story: old rows are there, the application starts again, and the old rows are gone. The steps
 * within the server are called by the subclasses, each in its own deployment.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class RetentionTests {
  private final TestApplication application = TestApplication.of(getClass());

  @ArquillianResource Deployer deployer;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.test(),
        it.service(),
        Archives.settings(
            it.service(),
            "postbox.inbox.data-source",
            it.dataSource(),
            "postbox.inbox.consumer.forgetful.retention",
            "1h",
            // the inbox remembers a message for as long as its tries can take
            "postbox.inbox.consumer.forgetful.max-transient-failures",
            "1"));
  }

  private String table(String name) {
    return application.prefix() + "inbox_" + name;
  }

  @Test
  @Order(1)
  @RunAsClient
  void theApplicationComes() {
    deployer.deploy(TestApplication.DEPLOYMENT);
  }

  @Test
  @Order(2)
  @OperateOnDeployment(TestApplication.DEPLOYMENT)
  void itSaysThatItLives() {
    Database database = application.database();
    eventually(() -> assertThat(database.count(table("alive"))).isEqualTo(1));
    // Before its first start nobody is known to have lived, and nothing would be over for long.
    eventually(() -> assertThat(database.run("DELETE FROM %s".formatted(table("outage")))).isOne());
    handled(database, "careful", "young", 6 * 24);
    handled(database, "careful", "old", 8 * 24);
    handled(database, "forgetful", "old", 2);
    handled(database, "forgetful", "young", 0);
  }

  private void handled(Database database, String consumer, String id, int hoursAgo) {
    database.run(
        """
        INSERT INTO %s (consumer, message_id, fingerprint, fingerprint_version, headers,
          processed_at)
        VALUES (?, ?, ?, 1, '{}', CURRENT_TIMESTAMP - INTERVAL '%s' HOUR)
        """
            .formatted(table("message"), hoursAgo),
        consumer,
        id,
        new byte[32]);
  }

  @Test
  @Order(3)
  @RunAsClient
  void itGoesAndComesBack() {
    undeploy();
    deployer.deploy(TestApplication.DEPLOYMENT);
  }

  @Test
  @Order(4)
  @OperateOnDeployment(TestApplication.DEPLOYMENT)
  void oldRowsAreGoneAndNothingElse() {
    Database database = application.database();
    eventually(
        () ->
            assertThat(
                    database.column(
                        "SELECT CONCAT(consumer, ' ', message_id) FROM %s ORDER BY 1"
                            .formatted(table("message"))))
                .containsExactly("careful young", "forgetful young"));
    assertThat(database.count(table("outage"))).as("a short stop is no outage").isZero();
  }

  @Test
  @Order(5)
  @RunAsClient
  void itLeavesNothingThatRuns() {
    Log log = Server.logFromNow();
    undeploy();
    Log statements = Server.postgresLogFromNow();

    Eventually.patience(Duration.ofSeconds(10))
        .during(Duration.ofSeconds(3)) // its housekeeping looks every second whether it is time
        .untilAsserted(() -> assertThat(statements.lines(table(""))).isEmpty());
    assertThat(log.lines(" E ")).as("errors logged").isEmpty();
  }

  private void undeploy() {
    assertThat(threads()).as("threads before").hasSize(1);
    deployer.undeploy(TestApplication.DEPLOYMENT);
    eventually(() -> assertThat(threads()).as("threads").isEmpty());
  }

  /** Those of other applications go on. */
  private List<String> threads() {
    return Server.machine().threadsNamed("postbox-inbox-housekeeping " + application.service());
  }
}
