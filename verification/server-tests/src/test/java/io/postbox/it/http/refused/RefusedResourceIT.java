package io.postbox.it.http.refused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.Server;
import io.postbox.it.http.Clerk;
import io.postbox.it.http.Tenants;
import io.postbox.it.tools.Log;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("full")
@ArquillianTest
class RefusedResourceIT {
  @ArquillianResource Deployer deployer;

  @Deployment(name = "http-later.war", managed = false, testable = false)
  static WebArchive later() {
    return archive(Later.class);
  }

  @Deployment(name = "http-suspending.war", managed = false, testable = false)
  static WebArchive suspending() {
    return archive(Suspending.class);
  }

  @Deployment(name = "http-streaming.war", managed = false, testable = false)
  static WebArchive streaming() {
    return archive(Streaming.class);
  }

  @Deployment(name = "http-ofitsown.war", managed = false, testable = false)
  static WebArchive ofItsOwn() {
    return archive(OfItsOwn.class);
  }

  @Deployment(name = "http-session.war", managed = false, testable = false)
  static WebArchive session() {
    return archive(Session.class);
  }

  @Deployment(name = "http-sending.war", managed = false, testable = false)
  static WebArchive sending() {
    return archive(Sending.class);
  }

  @Deployment(name = "http-events.war", managed = false, testable = false)
  static WebArchive events() {
    return archive(Events.class);
  }

  @Deployment(name = "http-apart.war", managed = false, testable = false)
  static WebArchive apart() {
    return archive(Apart.class);
  }

  @Deployment(name = "http-reading.war", managed = false, testable = false)
  static WebArchive reading() {
    return archive(Reading.class);
  }

  @Deployment(name = "http-eager.war", managed = false, testable = false)
  static WebArchive eager() {
    return archive(Eager.class);
  }

  @Deployment(name = "http-byinterface.war", managed = false, testable = false)
  static WebArchive byInterface() {
    return archive(ByInterface.class).addClass(PayApi.class);
  }

  @Deployment(name = "http-overriding.war", managed = false, testable = false)
  static WebArchive overriding() {
    return archive(Overriding.class).addClass(Payer.class);
  }

  @Deployment(name = "http-ownheader.war", managed = false, testable = false)
  static WebArchive ownHeader() {
    return archive(OwnHeader.class);
  }

  /** Beside a bean, without which the server shows nothing of the archive. */
  @Deployment(name = "http-nobean.war", managed = false, testable = false)
  static WebArchive noBean() {
    return archive(NoBean.class).addClass(Clerk.class);
  }

  @Deployment(name = "http-scopes.war", managed = false, testable = false)
  static WebArchive scopes() {
    return Archives.war(
            "http-scopes",
            Archives.settings("http-scopes"),
            Plain.class,
            Tenants.class,
            Realms.class)
        .addAsLibrary(Archives.artifact("inbox-http"), "inbox-http.jar");
  }

  @Deployment(name = "http-lone.war", managed = false, testable = false)
  static WebArchive lone() {
    return Archives.war("http-lone", Archives.settings("http-lone"), Plain.class, Lone.class)
        .addAsLibrary(Archives.artifact("inbox-http"), "inbox-http.jar");
  }

  @Deployment(name = "http-plain.war", managed = false, testable = false)
  static WebArchive divided() {
    return Archives.war(
            "http-plain",
            Archives.settings("http-plain", "postbox.inbox.table-partitioning", "daily"),
            Plain.class)
        .addAsLibrary(Archives.artifact("inbox-http"), "inbox-http.jar");
  }

  @Deployment(name = "http-mixed.ear", managed = false, testable = false)
  static EnterpriseArchive mixed() {
    JavaArchive other =
        ShrinkWrap.create(ZipImporter.class, "inbox-http-0.0.9.jar")
            .importFrom(Archives.artifact("inbox-http"))
            .as(JavaArchive.class);
    other.delete("/META-INF/postbox/version.properties");
    other.addAsResource(
        new StringAsset("artifact=inbox-http\nversion=0.0.9\n"),
        "META-INF/postbox/version.properties");
    return Archives.ear(
        "http-mixed",
        Archives.ejbModule("http-mixed", Archives.settings("http-mixed"), Clerk.class),
        Archives.webModule("http-mixed", Plain.class).addAsLibrary(other));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "Later, responds asynchronously",
        "Suspending, responds asynchronously",
        "Streaming, streams its response",
        "Sending, responds asynchronously",
        "Events, streams its response as server-sent events",
        "Apart, responds asynchronously",
        "OfItsOwn, has @Transactional(REQUIRES_NEW)",
        "Reading, reads its request",
        "Eager, has waitMillis=0",
        "ByInterface, would not be. Write @Idempotent on the method of the resource's class",
        "Overriding, would not be. Write @Idempotent on the method of the resource's class",
        "OwnHeader, names the header 'Set-Cookie'",
        "Session, belongs to a session bean"
      })
  void theLogNamesTheMethodAndTheReason(String type, String reason) {
    assertThat(refuse(name(type) + ".war"))
        .contains(getClass().getPackageName() + "." + type + "#pay " + reason);
  }

  @Test
  void aClassThatIsNoBeanIsRefused() {
    assertThat(refuse("http-nobean.war"))
        .contains(NoBean.class.getName() + ": @Idempotent has no effect here");
  }

  @Test
  void severalScopesAreRefusedByTheirNames() {
    assertThat(refuse("http-scopes.war"))
        .contains("several CDI beans that implement io.postbox.inbox.http.IdempotencyScope")
        .contains(Tenants.class.getName() + ", " + Realms.class.getName());
  }

  /** Only the request shows it. */
  @Test
  void aRequestThatReachesAResourceWithoutTheInboxIsAnError() throws Exception {
    Log log = Server.logFromNow();
    deployer.deploy("http-lone.war");
    HttpResponse<String> response;
    try {
      response =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          URI.create(
                              "http://localhost:%s/http-lone/api/refused".formatted(Server.port())))
                      .header("Idempotency-Key", "k")
                      .POST(BodyPublishers.noBody())
                      .build(),
                  BodyHandlers.ofString());
    } finally {
      deployer.undeploy("http-lone.war");
    }

    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(response.body()).contains("Not idempotent").doesNotContain("paid");
    assertThat(log.lines("IBX0260")).singleElement().asString().contains(Plain.class.getName());
  }

  @Test
  void tablesThatAreDividedByDayAreRefused() {
    assertThat(refuse("http-plain.war"))
        .contains("postbox.inbox.table-partitioning=daily", "@Idempotent(\"refused\")");
  }

  @Test
  void aJarOfAnotherVersionThanTheInboxsIsRefused() {
    assertThat(refuse("http-mixed.ear"))
        .contains("jars of Postbox of different versions", "inbox-http 0.0.9");
  }

  /** Deploys an archive that is refused, and returns the text of the log meanwhile. */
  private String refuse(String archive) {
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

  private static WebArchive archive(Class<?> resource) {
    String name = name(resource.getSimpleName());
    return Archives.war(name, Archives.settings(name), resource)
        .addAsLibrary(Archives.artifact("inbox-http"), "inbox-http.jar");
  }

  private static String name(String type) {
    return "http-" + type.toLowerCase(Locale.ROOT);
  }
}
