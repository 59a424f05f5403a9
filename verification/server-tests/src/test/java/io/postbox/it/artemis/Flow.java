package io.postbox.it.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.tools.Endpoint;
import io.postbox.testkit.sample.SampleServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The application "flow", from outside: its input, and the outcome. */
final class Flow {
  private final SampleServer server;

  Flow(SampleServer server) {
    this.server = server;
  }

  /**
   * A message to enqueue.
   *
   * @param key its ordering key; empty if it has none
   * @param padding how long a property is
   */
  record Letter(String destination, String key, int padding, UUID id) {
    static Letter to(String destination, String key) {
      return new Letter(destination, key, 0, UUID.randomUUID());
    }

    static List<Letter> several(int number, String destination, String key) {
      return IntStream.range(0, number).mapToObj(it -> to(destination, key)).toList();
    }

    Letter padded(int characters) {
      return new Letter(destination, key, characters, id);
    }
  }

  /** Enqueues in one transaction. */
  void enqueue(List<Letter> letters) {
    String body =
        letters.stream()
            .map(it -> it.destination() + ";" + it.key() + ";" + it.padding() + ";" + it.id())
            .collect(Collectors.joining("\n"));
    assertThat(Endpoint.post(port(), "/flow/enqueue", body).statusCode()).isEqualTo(200);
  }

  /** Status and attempts of what is still in the outbox, by id. */
  Map<UUID, String> rows() {
    return query(
        "SELECT id, status || ' ' || attempts FROM flow_outbox_message ORDER BY id",
        found -> {
          Map<UUID, String> rows = new TreeMap<>();
          while (found.next()) {
            rows.put(found.getObject(1, UUID.class), found.getString(2));
          }
          return rows;
        });
  }

  /** Why a message's last attempt failed. */
  String lastError(UUID id) {
    return query(
        "SELECT last_error FROM flow_outbox_message WHERE id = '" + id + "'",
        found -> {
          assertThat(found.next()).isTrue();
          return found.getString(1);
        });
  }

  /** Keeps the relay from claiming anything meanwhile. */
  void whileNothingIsClaimed(Runnable work) {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT partition_no FROM flow_outbox_partition FOR UPDATE");
      work.run();
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException("The database does not answer", e);
    }
  }

  /** The id by which the broker knows a duplicate, as the outbox sends it; its row is there. */
  String duplicateId(Letter letter) {
    byte[] key =
        query(
            "SELECT secret FROM flow_outbox_secret",
            found -> {
              assertThat(found.next()).isTrue();
              return found.getBytes(1);
            });
    String seq =
        query(
            "SELECT seq FROM flow_outbox_message WHERE id = '%s'".formatted(letter.id()),
            found -> {
              assertThat(found.next()).isTrue();
              return found.getString(1);
            });
    String text = String.join("\0", "2", "flow", letter.destination(), letter.id().toString(), seq);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }

  /** Forgets what is still in the outbox, as the README says. */
  void deleteAll() {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT partition_no FROM flow_outbox_partition FOR UPDATE");
      statement.execute("DELETE FROM flow_outbox_message");
      statement.execute("DELETE FROM flow_outbox_held_key");
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException("The database does not answer", e);
    }
  }

  /** How many of the outbox's partitions nobody holds at this moment. */
  long freePartitions() {
    return number(
        """
        SELECT count(*)
        FROM (SELECT partition_no FROM flow_outbox_partition FOR UPDATE SKIP LOCKED) AS free
        """);
  }

  /** The age in seconds of the oldest transaction that waits for its application. */
  long oldestTransaction() {
    return number(
        """
        SELECT COALESCE(MAX(EXTRACT(EPOCH FROM clock_timestamp() - xact_start)), 0)::BIGINT
        FROM pg_stat_activity
        WHERE state LIKE 'idle in transaction%'
        """);
  }

  /** A metric of an application's outbox. */
  double metric(String name, String service, String destination) {
    return Endpoint.value(
        Endpoint.metrics(port()),
        "postbox_outbox_" + name,
        "service=\"" + service + "\"",
        "destination=\"" + destination + "\"");
  }

  /** How many threads the server has. */
  double threads() {
    return Endpoint.metric(Endpoint.metrics(port()), "thread_count").stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The server's health. */
  String health() {
    return Endpoint.get(port(), "/health/ready").body();
  }

  /** The lines of the server's log that contain all of these. */
  List<String> log(String... parts) {
    try {
      return Files.readAllLines(server.logs().resolve("messages.log")).stream()
          .filter(line -> List.of(parts).stream().allMatch(line::contains))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("The server's log cannot be read", e);
    }
  }

  private int port() {
    return server.base().getPort();
  }

  private long number(String sql) {
    return query(
        sql,
        found -> {
          assertThat(found.next()).isTrue();
          return found.getLong(1);
        });
  }

  /** Reads a result. */
  @FunctionalInterface
  private interface Reader<T> {
    T read(ResultSet found) throws SQLException;
  }

  private <T> T query(String sql, Reader<T> reader) {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      return reader.read(found);
    } catch (SQLException e) {
      throw new IllegalStateException("The database does not answer", e);
    }
  }
}
