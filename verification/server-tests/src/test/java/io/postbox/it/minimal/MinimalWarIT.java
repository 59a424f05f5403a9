package io.postbox.it.minimal;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.OwnServers;
import io.postbox.it.tools.Eventually;
import io.postbox.testkit.Ports;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.Workspace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code applications/examples/minimal-war}, built by Maven in a folder of its own from the modules
 * as they would be published, and started by the goals that {@code liberty:run} consists of.
 */
@OwnServers
class MinimalWarIT {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path EXAMPLE = ROOT.resolve("applications/examples/minimal-war");
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final Duration LONGEST_START = Duration.ofMinutes(4);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path work;

  private Path project;
  private int port;

  @BeforeEach
  void publishTheModules() throws IOException {
    project = work.resolve("shop");
    publish("postbox-parent", ROOT);
    publish("postbox-bom", ROOT.resolve("applications/bom"));
    publishWithItsJar("postbox-common", ROOT.resolve("postbox-common"));
    publishWithItsJar("outbox-ejb", ROOT.resolve("outbox-ejb"));
    publishWithItsJar("inbox-interceptor", ROOT.resolve("inbox-interceptor"));
    publishWithItsJar("postbox-test", ROOT.resolve("applications/test-kit"));
    copyExample();
    port = Ports.next();
  }

  /** As for a user: no version but those of the published POMs and of Maven's own plugins. */
  @Test
  void itIsBuiltFromThePublishedModulesWithItsFirstTest() throws IOException, InterruptedException {
    addTheFirstTest();
    maven("package");
    assertThat(project.resolve("target/shop.war")).exists();
    assertThat(project.resolve("target/surefire-reports/shop.ShopTest.txt"))
        .content()
        .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
  }

  private void addTheFirstTest() throws IOException {
    Path pom = project.resolve("pom.xml");
    Files.writeString(
        pom,
        Files.readString(pom)
            .replaceFirst(
                "</dependencies>",
                """
                  <dependency>
                    <groupId>io.postbox</groupId>
                    <artifactId>postbox-test</artifactId>
                    <version>%s</version>
                    <scope>test</scope>
                  </dependency>
                </dependencies>
                """
                    .formatted(version())));
    Path test = project.resolve("src/test/java/shop/ShopTest.java");
    Files.createDirectories(test.getParent());
    Files.writeString(
        test,
        """
        package shop;

        import io.postbox.test.Postbox;
        import io.postbox.test.PostboxTest;
        import jakarta.inject.Inject;
        import org.assertj.core.api.Assertions;
        import org.junit.jupiter.api.Test;

        @PostboxTest(value = Shipping.class, sql = "CREATE TABLE shipment (sku VARCHAR(40))")
        class ShopTest {
          @Inject Orders orders;
          @Inject Postbox postbox;

          @Test
          void anOrderIsShipped() {
            orders.place("BOOK-1");
            postbox.settle();
            Assertions.assertThat(postbox.count("SELECT COUNT(*) FROM shipment")).isOne();
          }
        }
        """);
  }

  @Test
  @Tag("full")
  void aMessagePassesThroughOutboxAndInbox() throws IOException, InterruptedException {
    maven("package", "liberty:create", "liberty:deploy", "liberty:start");
    try {
      URI orders = URI.create("http://localhost:%s/orders/BOOK-1".formatted(port));
      Eventually.patience(LONGEST_START)
          .until(() -> Http.status(orders) == METHOD_NOT_ALLOWED); // the application is there
      assertThat(Http.post(orders, "").statusCode()).isEqualTo(200);

      Path log =
          Workspace.read().installation().resolve("usr/servers/minimal-war/logs/messages.log");
      Eventually.patience(LONGEST_START)
          .untilAsserted(() -> assertThat(log).content().contains("Shipped BOOK-1"));
      assertThat(Files.readAllLines(log)).filteredOn(line -> line.contains("Shipped")).hasSize(1);
      assertThat(log).content().contains("OBX0001", "IBX0001");
    } finally {
      maven("liberty:stop");
    }
  }

  /** Puts a POM where a local repository has it. */
  private Path publish(String artifact, Path module) throws IOException {
    Path folder = work.resolve("repository/io/postbox").resolve(artifact).resolve(version());
    Files.createDirectories(folder);
    Files.copy(module.resolve("pom.xml"), folder.resolve(artifact + "-" + version() + ".pom"));
    return folder;
  }

  private void publishWithItsJar(String artifact, Path module) throws IOException {
    Path folder = publish(artifact, module);
    Files.copy(
        Archives.artifact(artifact).toPath(), folder.resolve(artifact + "-" + version() + ".jar"));
  }

  private static String version() {
    return Workspace.property("postbox.version");
  }

  private void copyExample() throws IOException {
    Files.createDirectories(project.resolve(".mvn")); // not those settings of this build
    try (Stream<Path> files = Files.walk(EXAMPLE)) {
      for (Path file : files.filter(it -> !it.startsWith(EXAMPLE.resolve("target"))).toList()) {
        Path copy = project.resolve(EXAMPLE.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  /** Runs Maven with the modules above, and with everything that this build has downloaded. */
  private void maven(String... arguments) throws IOException, InterruptedException {
    String script = System.getProperty("os.name").startsWith("Windows") ? "mvn.cmd" : "mvn";
    List<String> command = new ArrayList<>();
    command.add(Path.of(Workspace.property("postbox.maven"), "bin", script).toString());
    command.addAll(
        List.of(
            "-B",
            "-ntp",
            "-Dmaven.repo.local=" + work.resolve("repository"),
            "-Dmaven.repo.local.tail=" + Workspace.property("postbox.local-repository"),
            "-DinstallDirectory=" + Workspace.read().installation(),
            "-DserverName=minimal-war",
            "-Dliberty.var.http.port=" + port,
            "-Dliberty.var.data=" + work.resolve("data")));
    command.addAll(Arrays.asList(arguments));
    Path log = work.resolve(arguments[0].replace(':', '-') + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    int exit = builder.start().waitFor();
    assertThat(exit).as("%s, which wrote %s", command, log).isZero();
  }
}
