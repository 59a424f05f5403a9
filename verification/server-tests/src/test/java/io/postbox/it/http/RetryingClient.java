package io.postbox.it.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Posts payments, and repeats a request that was not answered until it is. */
final class RetryingClient {
  private static final int ATTEMPTS = 5;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String base;

  RetryingClient(int port, String service) {
    base = "http://localhost:" + port + "/" + service + "/api/payments/";
  }

  /** Repeats after a broken connection, and after 409 and 503 when the server says so. */
  HttpResponse<String> post(String path, String key, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", "text/plain")
            .header("Idempotency-Key", key)
            .timeout(Duration.ofSeconds(20))
            .POST(BodyPublishers.ofString(body))
            .build();
    for (int attempt = 1; ; attempt++) {
      try {
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (attempt == ATTEMPTS || (response.statusCode() != 409 && response.statusCode() != 503)) {
          return response;
        }
        long seconds = Long.parseLong(response.headers().firstValue("Retry-After").orElseThrow());
        Thread.sleep(Duration.ofSeconds(seconds).toMillis());
      } catch (IOException broken) {
        if (attempt == ATTEMPTS) {
          throw broken;
        }
      }
    }
  }
}
