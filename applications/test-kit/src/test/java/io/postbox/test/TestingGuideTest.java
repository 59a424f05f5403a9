package io.postbox.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** The tests that docs/testing.md shows are short, and pass as they stand there. */
class TestingGuideTest {
  private static final Path GUIDE = Path.of("../../docs/testing.md");
  private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```");
  private static final Pattern TYPE = Pattern.compile("(?m)^public class (\\w+)");
  private static final Pattern METHOD =
      Pattern.compile("(?ms)^  void \\w+\\(\\) \\{\\n(.*?)^  \\}");

  @TempDir Path folder;

  private static List<String> snippets() throws IOException {
    return JAVA.matcher(Files.readString(GUIDE)).results().map(it -> it.group(1)).toList();
  }

  private static String nameOf(String snippet) {
    Matcher type = TYPE.matcher(snippet);
    assertThat(type.find()).isTrue();
    return type.group(1);
  }

  @Test
  void theShortestTestOfEachKindIsShorterThanTenLines() throws IOException {
    List<MatchResult> methods =
        snippets().stream()
            .filter(snippet -> snippet.contains("@Test"))
            .flatMap(snippet -> METHOD.matcher(snippet).results())
            .toList();

    assertThat(methods).hasSize(3);
    assertThat(methods).allMatch(method -> method.group(1).lines().count() < 10);
  }

  @Test
  void theTestsPass() throws Exception {
    for (String snippet : snippets()) {
      Files.writeString(folder.resolve(nameOf(snippet) + ".java"), snippet);
    }
    compile();
    SummaryGeneratingListener results = new SummaryGeneratingListener();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader classes = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(classes);
      LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
      for (String snippet : snippets()) {
        request.selectors(
            DiscoverySelectors.selectClass(Class.forName(nameOf(snippet), false, classes)));
      }
      LauncherDiscoveryRequest shown = request.build();
      LauncherFactory.create().execute(shown, results);
    } finally {
      thread.setContextClassLoader(before);
    }

    assertThat(results.getSummary().getFailures()).extracting(Failure::getException).isEmpty();
    assertThat(results.getSummary().getTestsSucceededCount()).isEqualTo(3);
  }

  private void compile() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        var sources = Files.list(folder)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-d",
              folder.toString(),
              "-classpath",
              System.getProperty("java.class.path"));
      assertThat(
              compiler
                  .getTask(
                      said,
                      files,
                      null,
                      options,
                      null,
                      files.getJavaFileObjectsFromPaths(sources.toList()))
                  .call())
          .as(said.toString())
          .isTrue();
    }
  }
}
