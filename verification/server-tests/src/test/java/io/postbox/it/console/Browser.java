package io.postbox.it.console;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** Somebody with a password, or nobody, who asks the console. */
final class Browser {
  private static final String NOBODY = "";

  /** HTTP/1.1: Liberty may hang in the change to HTTP/2 that Java's client asks for. */
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final String user;
  private final String root;

  /**
   * @param user the user; all have one password
   * @param root of the addresses
   */
  private Browser(String user, String root) {
    this.user = user;
    this.root = root;
  }

  static Browser of(String user, String root) {
    return new Browser(user, root);
  }

  static Browser ofNobody(String root) {
    return new Browser(NOBODY, root);
  }

  HttpResponse<String> get(String path) {
    return send(request(path).GET());
  }

  /** With the headers that it takes. */
  HttpResponse<String> send(String method, String path, String json) {
    return send(
        request(path)
            .header("X-Postbox", "1")
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(json)));
  }

  HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(root + path)).timeout(Duration.ofSeconds(30));
    if (!user.equals(NOBODY)) {
      request.header(
          "Authorization",
          "Basic "
              + Base64.getEncoder()
                  .encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8)));
    }
    return request;
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException("no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The status of an answer under another name. */
  int rawStatus(String host, String path) {
    return Integer.parseInt(rawAnswer(host, path).split(" ", 3)[1]);
  }

  /** An answer to what Java's client lets nobody ask: other names, and malformed addresses. */
  String rawAnswer(String host, String path) {
    URI address = URI.create(root);
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(30_000);
      String authorization =
          request("").build().headers().firstValue("Authorization").orElseThrow();
      socket
          .getOutputStream()
          .write(
              "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nConnection: close\r\n\r\n"
                  .formatted(address.getRawPath() + path, host, authorization)
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IllegalStateException("no answer", e);
    }
  }
}
