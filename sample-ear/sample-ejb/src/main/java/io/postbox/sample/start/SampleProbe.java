package io.postbox.sample.start;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * The sample as a visitor finds it: over HTTP, from outside.
 *
 * @param port where it should answer
 * @param node the node that should answer
 */
record SampleProbe(int port, UUID node) {
  private static final int PATIENCE_MILLIS = 2_000;

  /** The page for people. */
  String address() {
    return "http://localhost:" + port + "/";
  }

  /** The reason why the sample is not ready, in a sentence; empty if it is. */
  Optional<String> obstacle() {
    try {
      Answer who = get("api/node");
      if (who.status() != 200 || !who.body().contains(node.toString())) {
        return Optional.of(
            "Something else answers on port "
                + port
                + ". Stop it, or start the sample on another port: -Dhttp.port=9081");
      }
      Answer ready = get("health/ready");
      return ready.status() == 200
          ? Optional.empty()
          : Optional.of(address() + "health/ready says " + ready.status() + ": " + ready.body());
    } catch (IOException e) {
      return Optional.of("There is no answer from " + address() + " (" + e.getMessage() + ")");
    }
  }

  private Answer get(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(address() + path).toURL().openConnection();
    connection.setConnectTimeout(PATIENCE_MILLIS);
    connection.setReadTimeout(PATIENCE_MILLIS);
    int status = connection.getResponseCode();
    try (InputStream body =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      String text = body == null ? "" : new String(body.readNBytes(4_000), StandardCharsets.UTF_8);
      return new Answer(status, text);
    }
  }

  private record Answer(int status, String body) {}
}
