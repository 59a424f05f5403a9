package io.postbox.it.refused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.Server;
import io.postbox.it.tools.Log;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One application at a time: Liberty mixes up the failures of several. */
@ArquillianTest
class RefusedDeploymentIT {
  @ArquillianResource Deployer deployer;

  @Deployment(name = "wrong-values.war", managed = false, testable = false)
  static WebArchive wrongValues() {
    return Archives.war(
        "wrong-values",
        Archives.settings(
            "wrong-values",
            "postbox.outbox.relay.batch-size",
            "0",
            "postbox.outbox.backoff.first",
            "soon",
            "postbox.inbox.create-tables",
            "maybe",
            "postbox.outbox.max-atempts",
            "5",
            "postbox.inbox.table-prefx",
            "x_"));
  }

  @Test
  void wrongValuesAreNamedWithTheirBoundsAndUnknownKeysWithTheNearestKnownOne() {
    assertThat(refusal("wrong-values.war"))
        .contains("The configuration of Postbox is wrong, so the application does not start")
        .contains("postbox.outbox.relay.batch-size=0: expected a whole number from 1 to 10000")
        .contains("postbox.outbox.backoff.first=soon: expected a duration from")
        .contains("postbox.inbox.create-tables=maybe: expected true or false")
        .contains("postbox.outbox.max-atempts: there is no such key")
        .contains("did you mean postbox.outbox.max-attempts?")
        .contains("postbox.inbox.table-prefx: there is no such key")
        .contains("did you mean postbox.inbox.table-prefix?")
        .contains("META-INF/microprofile-config.properties");
  }

  @Deployment(name = "owner.war", managed = false, testable = false)
  static WebArchive owner() {
    return Archives.war("owner", Archives.settings("owner"));
  }

  @Deployment(name = "thief.ear", managed = false, testable = false)
  static EnterpriseArchive thief() {
    return ear(
        "thief",
        Archives.settings(
            "thief",
            "postbox.outbox.table-prefix",
            "owner_",
            "postbox.inbox.table-prefix",
            "owner_"));
  }

  @Test
  void tablesOfAnotherServiceAreLeftAloneAndBothWaysOutAreNamed() {
    deployer.deploy("owner.war");
    deployer.undeploy("owner.war");

    assertThat(refusal("thief.ear"))
        .contains(
            "The outbox's table owner_outbox_message belongs to the service 'owner', and this is"
                + " the service 'thief'")
        .contains("postbox.outbox.table-prefix")
        .contains("if it is the same service, set postbox.service=owner")
        .contains(
            "owner_inbox_message belongs to the service 'owner', and this is the service 'thief'")
        .contains("postbox.inbox.table-prefix");
  }

  @Deployment(name = "copies-ear.ear", managed = false, testable = false)
  static EnterpriseArchive twoCopies() {
    String name = "copies-ear";
    return Archives.ear(
        name,
        Archives.ejbModule(name, Archives.settings(name), Bean.class),
        Archives.webModule(name, WebBean.class)
            .addAsLibrary(Archives.artifact("outbox-ejb"), "second-outbox.jar")
            .addAsLibrary(Archives.artifact("inbox-interceptor"), "second-inbox.jar"));
  }

  @Test
  void twoCopiesInAnEarAreRefusedNamingBothJars() {
    namesBothJars(refusal("copies-ear.ear"));
  }

  @Deployment(name = "copies-war.war", managed = false, testable = false)
  static WebArchive twoCopiesInAWar() {
    return Archives.war("copies-war", Archives.settings("copies-war"))
        .addAsLibrary(Archives.artifact("outbox-ejb"), "second-outbox.jar")
        .addAsLibrary(Archives.artifact("inbox-interceptor"), "second-inbox.jar");
  }

  @Test
  @Tag("full")
  void twoCopiesInAWarAreRefusedNamingBothJars() {
    namesBothJars(refusal("copies-war.war"));
  }

  @Deployment(name = "no-common.ear", managed = false, testable = false)
  static EnterpriseArchive noCommonJar() {
    EnterpriseArchive archive = ear("no-common", Archives.settings("no-common"));
    archive.delete("/lib/postbox-common.jar");
    return archive;
  }

  @Test
  @Tag("full")
  void aMissingCommonJarIsNamedAndNotOneOfItsClasses() {
    assertThat(refusal("no-common.ear"))
        .contains("The application lacks postbox-common.jar")
        .contains("outbox-ejb ")
        .contains("inbox-interceptor ")
        .contains("into lib/ of the EAR or WEB-INF/lib of the WAR");
  }

  @Deployment(name = "cdc-cipher.war", managed = false, testable = false)
  static WebArchive cipherBesideAConnector() {
    return Archives.war(
        "cdc-cipher",
        Archives.settings("cdc-cipher", "postbox.outbox.relay.mode", "cdc"),
        HiddenCipher.class);
  }

  @Test
  @Tag("full")
  void aCipherBesideAConnectorIsRefusedNamingBothWaysOut() {
    assertThat(refusal("cdc-cipher.war"))
        .contains("io.postbox.common.PayloadCipher, and postbox.outbox.relay.mode=cdc")
        .contains("postbox.outbox.relay.mode=polling", "encrypt in the application");
  }

  @Deployment(name = "mixed.war", managed = false, testable = false)
  static WebArchive mixedVersions() {
    JavaArchive other =
        ShrinkWrap.create(ZipImporter.class, "postbox-common-0.0.9.jar")
            .importFrom(Archives.artifact("postbox-common"))
            .as(JavaArchive.class);
    other.delete("/META-INF/postbox/version.properties");
    other.addAsResource(
        new StringAsset("artifact=postbox-common\nversion=0.0.9\n"),
        "META-INF/postbox/version.properties");
    other.deleteClass("io.postbox.common.config.ConfigurationException");
    WebArchive archive = Archives.war("mixed", Archives.settings("mixed"));
    archive.delete("/WEB-INF/lib/postbox-common.jar");
    return archive.addAsLibrary(other);
  }

  @Test
  @Tag("full")
  void jarsOfDifferentVersionsAreRefusedNamingThemAndTheirVersions() {
    assertThat(refusal("mixed.war"))
        .contains("The application has jars of Postbox of different versions")
        .contains("postbox-common 0.0.9")
        .contains("postbox-common-0.0.9.jar")
        .contains("outbox-ejb 0.1.0")
        .contains("Use the same version of all of them");
  }

  @Deployment(name = "outbox-in-lib.ear", managed = false, testable = false)
  static EnterpriseArchive outboxInLib() {
    EnterpriseArchive archive = ear("outbox-in-lib", Archives.settings("outbox-in-lib"));
    archive.delete("/outbox-ejb.jar");
    return archive.addAsLibrary(Archives.artifact("outbox-ejb"), "outbox-ejb.jar");
  }

  @Test
  void anOutboxThatWouldNeverSendIsRefused() {
    assertThat(refusal("outbox-in-lib.ear"))
        .contains("The outbox lies where the server deploys no enterprise beans")
        .contains("Make it an EJB module of the EAR, or put it into WEB-INF/lib of a WAR");
  }

  @Deployment(name = "apart.ear", managed = false, testable = false)
  static EnterpriseArchive apartFromTransactions() {
    return ear(
        "apart",
        Archives.settings(
            "apart",
            "postbox.outbox.data-source",
            "jdbc/apart",
            "postbox.inbox.data-source",
            "jdbc/apart"));
  }

  @Test
  void aDataSourceThatTakesNoPartInTransactionsIsRefused() {
    assertThat(refusal("apart.ear"))
        .contains(
            "The data source postbox.outbox.data-source=jdbc/apart takes no part in the server's"
                + " transactions")
        .contains(
            "The data source postbox.inbox.data-source=jdbc/apart takes no part in the server's"
                + " transactions")
        .contains("Remove transactional=\"false\" from the dataSource");
  }

  @Deployment(name = "no-resolver.ear", managed = false, testable = false)
  static EnterpriseArchive noResolver() {
    String name = "no-resolver";
    return Archives.ear(
        name,
        Archives.ejbModule(name, Archives.settings(name), Bean.class, Resolving.class),
        Archives.webModule(name));
  }

  @Test
  @Tag("full")
  void aResolverThatIsNoBeanIsRefused() {
    assertThat(refusal("no-resolver.ear"))
        .contains("resolver = io.postbox.it.refused.Resolving$NoBean is no CDI bean");
  }

  @Deployment(name = "unfit.ear", managed = false, testable = false)
  static EnterpriseArchive unfitBeans() {
    String name = "unfit";
    return Archives.ear(
        name,
        Archives.ejbModule(
            name, Archives.settings(name), UnfitMdb.class, UnfitBean.class, UnfitHandlers.class),
        Archives.webModule(name));
  }

  @Test
  void beansWhoseMessagesTheInboxCannotGuardAreRefusedTogether() {
    assertThat(refusal("unfit.ear"))
        .contains("@Inbox cannot keep its promise here, so the application does not start")
        .contains("UnfitMdb: @Inbox needs container-managed transactions")
        .contains("UnfitBean: @jakarta.ejb.Asynchronous would let the message be acknowledged")
        .contains("the consumer 'unfit-two' has 2 handlers")
        .contains("the consumer 'unfit-none' has mode = CAPTURE and no handler")
        .contains(
            "UnfitHandlers.late has @InboxHandler(\"unfit-handled\"), and no @Inbox with mode");
  }

  @Deployment(name = "no-cipher.ear", managed = false, testable = false)
  static EnterpriseArchive noCipher() {
    return ear("no-cipher", Archives.settings("no-cipher", "postbox.encryption", "required"));
  }

  @Test
  void withoutACipherNothingStartsWhereEncryptionIsRequired() {
    assertThat(refusal("no-cipher.ear"))
        .contains("postbox.encryption=required, and the outbox's module sees no CDI bean")
        .contains("postbox.encryption=required, and the inbox's module sees no CDI bean");
  }

  @Deployment(name = "hidden-cipher.ear", managed = false, testable = false)
  static EnterpriseArchive hiddenCipher() {
    String name = "hidden-cipher";
    return Archives.ear(
        name,
        Archives.ejbModule(name, Archives.settings(name), Bean.class),
        Archives.webModule(name, HiddenCipher.class));
  }

  @Test
  @Tag("full")
  void aCipherThatTheModulesCannotSeeIsRefused() {
    assertThat(refusal("hidden-cipher.ear"))
        .contains("io.postbox.common.PayloadCipher (io.postbox.it.refused.HiddenCipher)")
        .contains("and the outbox's module cannot see it: payloads would be stored in the clear")
        .contains("io.postbox.common.PayloadCipher (io.postbox.it.refused.HiddenCipher)")
        .contains("and the inbox's module cannot see it: payloads would be stored in the clear");
  }

  @Deployment(name = "loose-cipher.ear", managed = false, testable = false)
  static EnterpriseArchive looseCipher() {
    String name = "loose-cipher";
    return Archives.ear(
        name,
        Archives.ejbModule(
            name,
            Archives.settings(name, "postbox.encryption", "required"),
            Bean.class,
            HiddenCipher.class),
        Archives.webModule(name));
  }

  @Test
  @Tag("full")
  void aCipherThatIgnoresAssociatedDataIsRefusedWhereEncryptionIsRequired() {
    assertThat(refusal("loose-cipher.ear"))
        .contains(
            "postbox.encryption=required, and the application's PayloadCipher decrypts what was"
                + " encrypted with other associated data");
  }

  private static void namesBothJars(String refusal) {
    assertThat(refusal.lines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("The application has more than one copy of the outbox: ")
                    .contains("/outbox-ejb.jar")
                    .contains("/second-outbox.jar")
                    .contains("Keep one"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("The application has more than one copy of the inbox: ")
                    .contains("/inbox-interceptor.jar")
                    .contains("/second-inbox.jar")
                    .contains("Keep one"));
  }

  private static EnterpriseArchive ear(String name, Map<String, String> settings) {
    return Archives.ear(
        name, Archives.ejbModule(name, settings, Bean.class), Archives.webModule(name));
  }

  /** The server's lines about an application that does not start. */
  private String refusal(String archive) {
    Log log = Server.logFromNow();
    Throwable refused = catchThrowable(() -> deployer.deploy(archive));
    if (refused == null) {
      deployer.undeploy(archive);
    } else {
      Server.remove(archive);
    }
    assertThat(refused).as("what the deployment of %s ends with", archive).isNotNull();
    return log.text();
  }
}
