package io.postbox.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What .ci/Audit.java says of a release, with answers of a database of this test's. */
class AuditTest {
  private static final String NETTY = "pkg:maven/io.netty/netty-codec-http@4.1.1";
  private static final String UPLOT = "pkg:npm/uplot@1.6.30";

  @TempDir Path root;
  private HttpServer database;
  private Map<String, String> known = Map.of();

  @BeforeEach
  void prepare() throws IOException {
    Files.createDirectories(root.resolve(".ci"));
    Files.writeString(root.resolve(".ci/published"), "console,rar\n");
    Files.copy(Pom.ROOT.resolve(".ci/vex.json"), root.resolve(".ci/vex.json"));
    bom("console", "pkg:maven/org.webjars.npm/uplot@1.6.30");
    bom("rar", NETTY);
    database = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    database.createContext(
        "/",
        exchange -> {
          String asked =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          String answer =
              known.entrySet().stream()
                  .filter(it -> asked.contains("\"" + it.getKey() + "\""))
                  .map(it -> "{\"results\":[{\"vulns\":[{\"id\":\"" + it.getValue() + "\"}]}]}")
                  .findFirst()
                  .orElse("{\"results\":[{}]}");
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    database.start();
  }

  @AfterEach
  void close() {
    database.stop(0);
  }

  @Test
  void whatIsExplainedIsNoReasonToStop() throws Exception {
    known = Map.of(UPLOT, "GHSA-34q8-jcq6-mc37");

    assertThat(audit()).isEqualTo("0: 3 libraries, 0 vulnerabilities to look at\n");
  }

  @Test
  void anotherVulnerabilityOrLibraryIs() throws Exception {
    known = Map.of(UPLOT, "GHSA-34q8-jcq6-mc37", NETTY, "GHSA-34q8-jcq6-mc37");

    assertThat(audit())
        .startsWith("1: vulnerable, and not explained: GHSA-34q8-jcq6-mc37 " + NETTY);
  }

  @Test
  void anExplanationOfWhatIsNoLongerThereIs() throws Exception {
    assertThat(audit())
        .startsWith("1: explained in .ci/vex.json, and not found: GHSA-34q8-jcq6-mc37 " + UPLOT);
  }

  private void bom(String module, String purl) throws IOException {
    Path target = Files.createDirectories(root.resolve(module).resolve("target"));
    Files.writeString(
        target.resolve("bom.json"),
        """
        {"components" : [
          {"purl" : "%s?type=jar"},
          {"purl" : "pkg:maven/io.postbox/postbox-common@0.1.0?type=jar"}]}
        """
            .formatted(purl));
  }

  private String audit() throws IOException {
    Path output = root.resolve("output");
    Process audit =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Pom.ROOT.resolve(".ci/Audit.java").toString(),
                root.toString(),
                "http://localhost:" + database.getAddress().getPort() + "/")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int exit = audit.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue();
    return exit + ": " + Files.readString(output);
  }
}
