import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Asks OSV whether what the bills of materials name has known vulnerabilities, and exits with 1 for
 * one that {@code .ci/vex.json} does not explain. Runs from its source, after {@code -Psbom}: {@code
 * java .ci/Audit.java <root> [address]}.
 */
public final class Audit {
  private static final String OSV = "https://api.osv.dev/v1/querybatch";
  private static final Pattern PURL = Pattern.compile("\"purl\" : \"([^\"?]+)");
  private static final Pattern WEBJAR = Pattern.compile("pkg:maven/org\\.webjars\\.npm/(.*)");
  private static final Pattern ID = Pattern.compile("\"id\" ?: ?\"([^\"]+)\"");
  private static final Pattern EXPLAINED =
      Pattern.compile("(?s)\"id\": \"([^\"]+)\",\\s+\"references\".*?\"ref\": \"([^\"]+)\"");

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI address;

  private Audit(URI address) {
    this.address = address;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path root = Path.of(arguments[0]);
    Audit audit = new Audit(URI.create(arguments.length > 1 ? arguments[1] : OSV));
    Set<String> explained = explained(Files.readString(root.resolve(".ci/vex.json")));
    Set<String> found = new TreeSet<>();
    Set<String> purls = purls(root);
    for (String purl : purls) {
      found.addAll(audit.vulnerabilities(purl));
    }
    Set<String> stale = new TreeSet<>(explained);
    stale.removeAll(found);
    found.removeAll(explained);
    found.forEach(each -> System.out.println("vulnerable, and not explained: " + each));
    stale.forEach(each -> System.out.println("explained in .ci/vex.json, and not found: " + each));
    System.out.println(purls.size() + " libraries, " + found.size() + " vulnerabilities to look at");
    System.exit(found.isEmpty() && stale.isEmpty() ? 0 : 1);
  }

  /** What is published and is not ours. */
  private static Set<String> purls(Path root) throws IOException {
    Set<String> purls = new TreeSet<>();
    for (String module : Files.readString(root.resolve(".ci/published")).strip().split(",")) {
      Path bom = root.resolve(module).resolve("target/bom.json");
      if (Files.exists(bom)) {
        PURL.matcher(Files.readString(bom))
            .results()
            .map(match -> match.group(1))
            .filter(purl -> !purl.startsWith("pkg:maven/io.postbox/"))
            .forEach(purls::add);
      }
    }
    if (purls.isEmpty()) {
      throw new IllegalStateException("No bill of materials in " + root + ": build with -Psbom");
    }
    // OSV knows what is in a WebJar by the name that it has there.
    Set<String> all = new TreeSet<>(purls);
    purls.forEach(purl -> npm(purl).ifPresent(all::add));
    return all;
  }

  private static Optional<String> npm(String purl) {
    return WEBJAR.matcher(purl).results().map(match -> "pkg:npm/" + match.group(1)).findFirst();
  }

  private static Set<String> explained(String vex) {
    return EXPLAINED
        .matcher(vex)
        .results()
        .map(match -> match.group(1) + " " + match.group(2))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Set<String> vulnerabilities(String purl) throws IOException, InterruptedException {
    String query = "{\"queries\":[{\"package\":{\"purl\":\"" + purl + "\"}}]}";
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(address).POST(BodyPublishers.ofString(query)).build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(address + " answers " + answer.statusCode() + " about " + purl);
    }
    return ID.matcher(answer.body())
        .results()
        .map((MatchResult match) -> match.group(1) + " " + purl)
        .collect(Collectors.toSet());
  }
}
