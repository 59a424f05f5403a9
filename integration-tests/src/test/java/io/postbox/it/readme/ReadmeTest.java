package io.postbox.it.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class ReadmeTest {
  private static final Path README = Path.of("../README.md");
  private static final Pattern PUBLIC_CLASS = Pattern.compile("public class (\\w+)");

  @Test
  void itsJavaCompiles(@TempDir Path out) throws IOException {
    List<String> snippets = fenced("java");
    assertThat(snippets).hasSizeGreaterThanOrEqualTo(2);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                List.of(
                    "-proc:none",
                    "-d",
                    out.toString(),
                    "-classpath",
                    System.getProperty("java.class.path")),
                null,
                snippets.stream().map(ReadmeTest::source).toList())
            .call();

    assertThat(compiled).as(said.toString()).isTrue();
  }

  @Test
  void itsXmlIsWellFormed() throws Exception {
    for (String snippet : fenced("xml")) {
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader("<all>" + snippet + "</all>")));
    }
  }

  @Test
  void itsFirstTwoCommandsRunTheSampleAndTheTests() throws IOException {
    assertThat(fenced("sh").stream().flatMap(String::lines).filter(it -> it.startsWith("./mvnw")))
        .startsWith("./mvnw -Prun -pl sample-ear -am", "./mvnw verify");
  }

  @Test
  void whatItNamesInTheRepositoryIsThere() throws IOException {
    try (Stream<MatchResult> links =
        Pattern.compile("\\]\\(((?!http)[^)#]+)").matcher(Files.readString(README)).results()) {
      assertThat(links.map(link -> README.resolveSibling(link.group(1))))
          .isNotEmpty()
          .allMatch(Files::exists);
    }
  }

  private static List<String> fenced(String language) throws IOException {
    return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```")
        .matcher(Files.readString(README))
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  private static JavaFileObject source(String snippet) {
    Matcher name = PUBLIC_CLASS.matcher(snippet);
    assertThat(name.find()).as("a public class in %s", snippet).isTrue();
    URI uri = URI.create("string:///" + name.group(1) + ".java");
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return snippet;
      }
    };
  }
}
