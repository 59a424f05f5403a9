package io.postbox.it.tools;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The server's own pages, from within the server or outside. */
public final class Endpoint {
  /** HTTP/1.1: Liberty may hang in the change to HTTP/2 that Java's client asks for. */
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Endpoint() {}

  /** The lines of {@code /metrics}, without comments. */
  public static List<String> metrics(int port) {
    return get(port, "/metrics").body().lines().filter(line -> !line.startsWith("#")).toList();
  }

  /** The lines of a metric whose tags contain all of these. */
  public static List<String> metric(List<String> metrics, String name, String... tags) {
    return metrics.stream()
        .filter(line -> line.startsWith(name + "{"))
        .filter(line -> List.of(tags).stream().allMatch(line::contains))
        .toList();
  }

  /** The value of a metric that has one line with these tags; 0 if it has none. */
  public static double value(List<String> metrics, String name, String... tags) {
    List<String> lines = metric(metrics, name, tags);
    if (lines.size() > 1) {
      throw new AssertionError("More than one line: " + lines);
    }
    return lines.stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** An answer. */
  public static HttpResponse<String> get(int port, String path) {
    return send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)));
  }

  /** The answer to JSON. */
  public static HttpResponse<String> post(int port, String path, String json) {
    return send(
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json)));
  }

  /**
   * The answer to the empty form that a page posts.
   *
   * @param origin of the page, as a browser says it
   */
  public static HttpResponse<String> postFrom(String origin, int port, String path) {
    return send(
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Origin", origin)
            .POST(HttpRequest.BodyPublishers.noBody()));
  }

  /** The answer to a request that the caller completes. */
  public static HttpResponse<String> ask(
      int port, String path, UnaryOperator<HttpRequest.Builder> completed) {
    return send(
        completed.apply(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException("no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
