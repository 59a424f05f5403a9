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
 * @param healthPort where the server should tell its health
 * @param node the node that should answer
 */
record SampleProbe(int port, int healthPort, UUID node) {
  private static final int PATIENCE_MILLIS = 2_000;

  /** The page for people. */
  String address() {
    return at(port);
  }

  private static String at(int port) {
    return "http://localhost:" + port + "/";
  }

  /** The reason why the sample is not ready, in a sentence; empty if it is. */
  Optional<String> obstacle() {
    try {
      Answer who = get(address() + "api/node");
      if (who.status() != 200 || !who.body().contains(node.toString())) {
        return Optional.of(
            "Something else answers on port "
                + port
                + ". Stop it, or start the sample on another port: -Dhttp.port=9081");
      }
      String health = at(healthPort) + "health/ready";
      Answer ready = get(health);
      return ready.status() == 200
          ? Optional.empty()
          : Optional.of(health + " says " + ready.status() + ": " + ready.body());
    } catch (IOException e) {
      return Optional.of("There is no answer from " + address() + " (" + e.getMessage() + ")");
    }
  }

  private static Answer get(String address) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
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
