package io.postbox.it.watch;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.Server;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The findings of the inbox's guarantee check in the real server: each that can be provoked in it.
 * (The time-out and the recovery of the whole server are in OwnTransactionIT.)
 */
@ArquillianTest
class InboxFindingsIT {
  private static final Pattern CHECK = Pattern.compile("\\{[^{}]*\\{[^{}]*}[^{}]*}");
  private static final Pattern FINDINGS = Pattern.compile("\"findings\":\\s*\"([^\"]*)\"");

  @ArquillianResource Deployer deployer;

  @Deployment(name = "rash", managed = false, testable = false)
  static EnterpriseArchive rash() {
    return application(
        "rash",
        List.of(TopicMdb.class, LookupMdb.class, HeaderMdb.class, LooseCipher.class),
        "postbox.inbox.data-source",
        "jdbc/careless",
        "postbox.inbox.connection-factory",
        "jms/nowhere",
        "postbox.inbox.consumer.by-header.retry-destination",
        "jms/nowhere-either",
        "postbox.inbox.outage-wait",
        "5m");
  }

  @Test
  void eachWrongSettingOnH2IsALineThatSaysWhatToSet() {
    List<String> found = findings("rash");

    assertThat(found)
        .hasSize(9)
        .anySatisfy(line -> assertThat(line).contains("h2-write-delay:", ";WRITE_DELAY=0"))
        .anySatisfy(line -> assertThat(line).contains("h2-xa:", "type=\"javax.sql.DataSource\""))
        .anySatisfy(line -> assertThat(line).contains("pool-size:", "has 3 connections"))
        .anySatisfy(line -> assertThat(line).contains("transaction-timeout:", "after 2m", "=5m"))
        .anySatisfy(line -> assertThat(line).contains("id-source:", "by-header"))
        .anySatisfy(line -> assertThat(line).contains("cipher-associated-data:", "updateAAD"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("connection-factory:", "=jms/nowhere leads", "NameNotFound"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains(
                        "retry-destination:",
                        "postbox.inbox.consumer.by-header.retry-destination=jms/nowhere-either"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains(
                        "topic: The consumers looked-up, topical",
                        "postbox.inbox.consumer.topical.retry-destination"));
    deployer.undeploy("rash");
  }

  @Deployment(name = "forgetful", managed = false, testable = false)
  static EnterpriseArchive forgetful() {
    return application(
        "forgetful", List.of(PlainMdb.class), "postbox.inbox.data-source", "jdbc/forgetful");
  }

  @Test
  void aDatabaseInMemoryIsFound() {
    assertThat(findings("forgetful"))
        .singleElement()
        .asString()
        .contains("h2-in-memory:", "jdbc:h2:file:");
    deployer.undeploy("forgetful");
  }

  @Deployment(name = "predecessor", managed = false, testable = false)
  static EnterpriseArchive predecessor() {
    return application(
        "predecessor",
        List.of(PlainMdb.class),
        "postbox.service",
        "hasty",
        "postbox.outbox.table-prefix",
        "hasty_",
        "postbox.inbox.table-prefix",
        "hasty_",
        "postbox.inbox.data-source",
        "jdbc/pg");
  }

  @Deployment(name = "hasty", managed = false, testable = false)
  static EnterpriseArchive hasty() {
    return application(
        "hasty",
        List.of(PlainMdb.class),
        "postbox.inbox.data-source",
        "jdbc/hasty",
        "postbox.inbox.create-tables",
        "false");
  }

  @Test
  void eachWrongSettingOnPostgresIsALineThatSaysWhatToSet() throws SQLException {
    deployer.deploy("predecessor"); // makes the tables
    deployer.undeploy("predecessor");
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:postgresql://localhost:%s/postgres"
                    .formatted(System.getProperty("it.postgres.port")),
                "postgres",
                "");
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE hasty_inbox_message DROP CONSTRAINT hasty_inbox_message_pk");
      statement.execute("DROP INDEX hasty_inbox_failure_message_ix");
    }

    assertThat(findings("hasty"))
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).contains("missing-key:", "inbox_message_pk"))
        .anySatisfy(line -> assertThat(line).contains("missing-index:", "inbox_failure_message_ix"))
        .anySatisfy(line -> assertThat(line).contains("isolation:", "jdbc/hasty"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("postgresql-synchronous-commit:", "Set synchronous_commit=on"));
    deployer.undeploy("hasty");
  }

  @Deployment(name = "sound", managed = false, testable = false)
  static EnterpriseArchive sound() {
    return application(
        "sound",
        List.of(TopicMdb.class, LookupMdb.class, PlainMdb.class),
        "postbox.inbox.data-source",
        "jdbc/pg",
        "postbox.inbox.consumer.topical.retry-destination",
        "jms/sound",
        "postbox.inbox.consumer.looked-up.retry-destination",
        "jms/sound");
  }

  @Test
  void rightSettingsHaveNoLine() {
    assertThat(findings("sound")).isEmpty();
    deployer.undeploy("sound");
    assertThat(Server.log().lines("IBX0030", "Guarantee check of postbox-sample, "))
        .as("the sample as it is delivered")
        .isEmpty();
  }

  @Deployment(name = "undecided", managed = false, testable = false)
  static EnterpriseArchive undecided() {
    return application(
        "undecided",
        List.of(PlainMdb.class, HeaderMdb.class),
        "postbox.inbox.data-source",
        "jdbc/pg",
        "postbox.inbox.consumer.by-header.connection-factory",
        "jms/cf",
        "postbox.inbox.consumer.by-header.retry-destination",
        "elsewhere/again");
  }

  @Test
  @Tag("full")
  void aConnectionFactoryThatNobodyChoseIsFoundWhereAnotherLeadsElsewhere() {
    assertThat(findings("undecided"))
        .filteredOn(line -> line.contains("connection-factories:"))
        .singleElement()
        .asString()
        .contains("The consumers plain use", "others: elsewhere/cf.")
        .contains("postbox.inbox.consumer.plain.connection-factory");
    deployer.undeploy("undecided");
  }

  @Deployment(name = "beanless", managed = false, testable = false)
  static EnterpriseArchive beanless() {
    return application("beanless", List.of(PlainMdb.class, Stray.class, StrayMethod.class));
  }

  @Test
  @Tag("full")
  void aClassWithTheAnnotationThatIsNoBeanIsWarnedOf() {
    Log log = Server.logFromNow();
    deployer.deploy("beanless");

    assertThat(log.lines("IBX0110"))
        .hasSize(2)
        .anySatisfy(line -> assertThat(line).contains(Stray.class.getName() + " has @Inbox"))
        .anySatisfy(line -> assertThat(line).contains(StrayMethod.class.getName() + " has @Inbox"));
    deployer.undeploy("beanless");
  }

  @Deployment(name = "beanless-war", managed = false, testable = false)
  static WebArchive beanlessWar() {
    return Archives.war(
        "beanless-war", Archives.settings("beanless-war"), PlainMdb.class, Stray.class);
  }

  @Test
  @Tag("full")
  void alsoInAWar() {
    Log log = Server.logFromNow();
    deployer.deploy("beanless-war");

    assertThat(log.lines("IBX0110"))
        .singleElement()
        .asString()
        .contains(Stray.class.getName() + " has @Inbox");
    deployer.undeploy("beanless-war");
  }

  /** As the runbook says of a pause that is in force when the application goes. */
  @Test
  @Tag("full")
  void aPausedEndpointIsForgottenWithItsDeployment() {
    String endpoint = "sound#sound-ejb.jar#PlainMdb";
    deployer.deploy("sound");
    eventually(() -> assertThat(control("listEndpoints")).asString().contains(endpoint));
    control("pause", endpoint);
    assertThat(control("isPaused", endpoint)).isEqualTo(true);
    deployer.undeploy("sound");

    deployer.deploy("sound");

    eventually(() -> assertThat(control("listEndpoints")).asString().contains(endpoint));
    assertThat(control("isPaused", endpoint)).isEqualTo(false);
    deployer.undeploy("sound");
  }

  private static EnterpriseArchive application(
      String name, List<Class<?>> beans, String... settings) {
    return Archives.ear(
        name,
        Archives.ejbModule(name, Archives.settings(name, settings), beans.toArray(Class<?>[]::new)),
        Archives.webModule(name));
  }

  /** Deploys, and returns the lines of the findings, which metric and health tell as well. */
  private List<String> findings(String application) {
    Log log = Server.logFromNow();
    deployer.deploy(application);
    eventually(() -> assertThat(log.lines("IBX0001", "service=" + application + ",")).isNotEmpty());
    List<String> names = health(application);
    List<String> lines = log.lines("IBX0030", "Guarantee check of " + application + ", ");
    assertThat(
            lines.stream()
                .map(line -> line.replaceAll(".*Guarantee check of \\w+, ([^:]+):.*", "$1")))
        .containsExactlyElementsOf(names);
    eventually(
        () ->
            assertThat(
                    Endpoint.value(
                        Endpoint.metrics(Server.port()),
                        "postbox_inbox_findings",
                        "service=\"" + application + "\""))
                .isEqualTo(names.size()));
    return lines;
  }

  /** The names that the health data of an application tell. */
  private static List<String> health(String application) {
    String body = Endpoint.get(Server.port(), "/health/ready").body();
    String check =
        CHECK
            .matcher(body)
            .results()
            .map(MatchResult::group)
            .filter(it -> it.contains("\"postbox-inbox\""))
            .filter(it -> it.contains("\"" + application + "\""))
            .findFirst()
            .orElseThrow(() -> new AssertionError(body));
    Matcher found = FINDINGS.matcher(check);
    String names = found.find() ? found.group(1) : "";
    return names.isEmpty() ? List.of() : List.of(names.split(", "));
  }

  private static Object control(String operation, String... endpoint) {
    return Server.mbeans()
        .ask(
            server ->
                server.invoke(
                    new ObjectName("WebSphere:feature=kernel,name=ServerEndpointControl"),
                    operation,
                    endpoint,
                    endpoint.length == 0 ? new String[0] : new String[] {String.class.getName()}));
  }
}
