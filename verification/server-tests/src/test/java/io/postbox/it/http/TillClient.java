package io.postbox.it.http;

import io.postbox.it.tools.Names;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** Posts payments. */
class TillClient {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String service;

  TillClient(String service) {
    this.service = service;
  }

  HttpResponse<String> post(String path, String key, String body)
      throws IOException, InterruptedException {
    return client.send(request(path, key, body).build(), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> postLater(String path, String key, String body) {
    return client.sendAsync(request(path, key, body).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<byte[]> bytes(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  /** A request, without a key if that is empty. */
  HttpRequest.Builder request(String path, String key, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://localhost:%s/%s/api/payments/%s"
                        .formatted(Names.variable("http.port"), service, path)))
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString(body));
    return key.isEmpty() ? request : request.header("Idempotency-Key", key);
  }
}
