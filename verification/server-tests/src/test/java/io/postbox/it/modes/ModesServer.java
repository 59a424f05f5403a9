package io.postbox.it.modes;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
import io.postbox.testkit.sample.SampleServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jboss.shrinkwrap.api.asset.ClassAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * A server on both brokers and both databases, with one and the same application on each pair of
 * them.
 */
final class ModesServer implements AutoCloseable {
  private final SampleServer server;
  private final ArtemisBroker broker;

  /** One pair, and the application on it. */
  enum Pair {
    EMBEDDED_H2("jms/embedded", "jdbc/h2"),
    EMBEDDED_POSTGRESQL("jms/embedded", "jdbc/postbox"),
    ARTEMIS_H2("jms/artemis", "jdbc/h2"),
    ARTEMIS_POSTGRESQL("jms/artemis", "jdbc/postbox");

    private final String connectionFactory;
    private final String dataSource;

    Pair(String connectionFactory, String dataSource) {
      this.connectionFactory = connectionFactory;
      this.dataSource = dataSource;
    }

    String application() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    boolean onArtemis() {
      return connectionFactory.equals("jms/artemis");
    }

    boolean onPostgres() {
      return dataSource.equals("jdbc/postbox");
    }

    String queue(String name) {
      return "jms/" + application() + "-" + name;
    }

    String physical(String name) {
      return (application() + "-" + name).toUpperCase(java.util.Locale.ROOT);
    }
  }

  /** How often a handler may fail. */
  static final int ATTEMPTS = 4;

  private static final String NOWHERE = "jms/nowhere";

  private static final List<String> QUEUES =
      List.of(
          "route",
          "own-route",
          "again",
          "own-again",
          "own",
          "dups-ok",
          "lost",
          "own-lost",
          "early",
          "own-early",
          "tired",
          "elsewhere");

  ModesServer(String name, Path work) {
    List<String> queues = new ArrayList<>();
    for (Pair pair : Pair.values()) {
      QUEUES.forEach(queue -> queues.add(pair.physical(queue)));
    }
    BrokerSettings settings = BrokerSettings.of(queues);
    broker = ArtemisBroker.anew(work.resolve(name + "-broker"), settings);
    server =
        new SampleServer(
            name,
            Map.of(
                "postbox.artemis.port",
                String.valueOf(settings.port()),
                "postbox.artemis.rar",
                Path.of(System.getProperty("postbox.artifacts"), "postbox-artemis-rar.rar")
                    .toString()));
    try {
      Files.writeString(
          server.home().resolve("configDropins/overrides/modes.xml"),
          ModesConfiguration.of(QUEUES));
    } catch (IOException e) {
      throw new UncheckedIOException("The server's folder cannot be written to", e);
    }
    for (Pair pair : Pair.values()) {
      deploy(pair);
    }
  }

  void start() {
    broker.start();
    broker.awaitUp();
    server.start();
  }

  /** Sends a message; returns its JMSMessageID. */
  String send(Pair pair, String queue, Map<String, String> parameters) {
    Map<String, String> all = new TreeMap<>(parameters);
    all.put("queue", pair.queue(queue));
    return answer(pair, "/send", all);
  }

  /** Sends a message, and waits for the answer at a temporary queue. */
  String ask(Pair pair, String queue, Map<String, String> parameters) {
    Map<String, String> all = new TreeMap<>(parameters);
    all.put("queue", pair.queue(queue));
    return answer(pair, "/ask", all);
  }

  /** The listeners' notes under a tag. */
  List<Seen> notes(Pair pair, String tag) {
    String notes = answer(pair, "/notes", Map.of("tag", tag));
    return notes.isEmpty() ? List.of() : Arrays.stream(notes.split("--\n")).map(Seen::of).toList();
  }

  /** How many effects a tag has. */
  int effects(Pair pair, String tag) {
    return Integer.parseInt(answer(pair, "/effects", Map.of("tag", tag)));
  }

  /** How many messages of an id the inbox remembers. */
  int rows(Pair pair, String id) {
    return Integer.parseInt(answer(pair, "/rows", Map.of("id", id)));
  }

  /** The status of a message that is stored; empty if it is not. */
  String status(Pair pair, String id) {
    return answer(pair, "/status", Map.of("id", id));
  }

  /** How many deliveries of a message were rolled back. */
  int returns(Pair pair, String id) {
    return Integer.parseInt(answer(pair, "/returns", Map.of("id", id)));
  }

  /** The lines of the server's log that contain all of these. */
  List<String> log(String... parts) {
    return new Log(server.logs().resolve("messages.log"), 0).lines(parts);
  }

  /**
   * Has the server try to deploy an application whose connection factory belongs to an adapter that
   * acknowledges early.
   */
  void deployRefused() {
    Archives.war(
            "refused",
            Archives.settings("refused", "postbox.inbox.connection-factory", "jms/hasty"),
            OwnMdb.class,
            Failing.class,
            Failing.Failure.class,
            GoOnException.class,
            Notes.class)
        .as(ZipExporter.class)
        .exportTo(server.home().resolve("dropins/refused.war").toFile(), true);
  }

  int depth(Pair pair, String queue) {
    return Integer.parseInt(answer(pair, "/depth", Map.of("queue", pair.queue(queue))));
  }

  /** Takes the next message. */
  Seen receive(Pair pair, String queue) {
    return Seen.of(answer(pair, "/receive", Map.of("queue", pair.queue(queue))));
  }

  @Override
  public void close() {
    server.close();
    broker.close();
  }

  private String answer(Pair pair, String path, Map<String, String> parameters) {
    String query =
        parameters.entrySet().stream()
            .map(it -> it.getKey() + "=" + URLEncoder.encode(it.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    HttpResponse<String> answer =
        Endpoint.get(server.base().getPort(), "/" + pair.application() + path + "?" + query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private void deploy(Pair pair) {
    Map<String, String> settings =
        Archives.settings(
            pair.application(),
            "postbox.inbox.data-source",
            pair.dataSource,
            "postbox.inbox.connection-factory",
            pair.connectionFactory,
            "postbox.inbox.consumer.lost.retry-destination",
            NOWHERE,
            "postbox.inbox.consumer.own-lost.retry-destination",
            NOWHERE,
            "postbox.inbox.backoff.max",
            "2s",
            "postbox.inbox.max-attempts",
            String.valueOf(ATTEMPTS));
    WebArchive war =
        Archives.war(
                pair.application(),
                settings,
                ModesServlet.class,
                Answering.class,
                RouteMdb.class,
                OwnRouteMdb.class,
                AgainMdb.class,
                OwnAgainMdb.class,
                OwnMdb.class,
                DupsOkMdb.class,
                LostMdb.class,
                OwnLostMdb.class,
                Returns.class,
                Failing.class,
                Failing.Failure.class,
                GoOnException.class,
                Notes.class,
                Portrait.class,
                Unknown.class)
            .addAsResource(new ClassAsset(Foreign.class), "foreign.bin");
    if (!pair.onArtemis()) {
      war.addClass(TiredMdb.class);
    }
    if (pair.onArtemis()) {
      war.addClasses(EarlyMdb.class, OwnEarlyMdb.class);
    }
    war.delete("/WEB-INF/lib/outbox-ejb.jar"); // the inbox alone
    war.as(ZipExporter.class)
        .exportTo(server.home().resolve("apps/" + pair.application() + ".war").toFile(), true);
  }

  /** A message as a listener or a receiver has seen it. */
  record Seen(Map<String, String> lines) {
    static Seen of(String text) {
      Map<String, String> lines = new TreeMap<>();
      text.lines()
          .forEach(
              line -> {
                int end = line.indexOf('=');
                lines.put(
                    end < 0 ? line : line.substring(0, end),
                    end < 0 ? "" : line.substring(end + 1));
              });
      return new Seen(lines);
    }

    String get(String name) {
      return lines.getOrDefault(name, "");
    }
  }
}
