package io.postbox.testkit.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The little HTTP that is needed. The JDK's client never repeats a POST by itself. */
public final class Http {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private Http() {}

  /** A GET's status; 0 if nobody answers. */
  public static int status(URI uri) {
    try {
      return send(HttpRequest.newBuilder(uri).GET()).statusCode();
    } catch (IOException e) {
      return 0;
    }
  }

  /** A GET's body. */
  public static String get(URI uri) throws IOException {
    HttpResponse<String> response = send(HttpRequest.newBuilder(uri).GET());
    if (response.statusCode() != 200) {
      throw new IOException(
          "GET " + uri + " answered " + response.statusCode() + ": " + response.body());
    }
    return response.body();
  }

  public static HttpResponse<String> post(URI uri, String json) throws IOException {
    return send(
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  /** A field of a flat JSON object. */
  public static String field(String json, String name) {
    Matcher matcher =
        Pattern.compile("\"" + Pattern.quote(name) + "\"\\s*:\\s*\"?([^\",}]*)").matcher(json);
    if (!matcher.find()) {
      throw new IllegalArgumentException("No field " + name + " in " + json);
    }
    return matcher.group(1).strip();
  }

  /** Any request. */
  public static HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      return CLIENT.send(request.timeout(Duration.ofSeconds(15)).build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
