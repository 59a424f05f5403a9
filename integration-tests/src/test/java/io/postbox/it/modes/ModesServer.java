package io.postbox.it.modes;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.interceptor.OwnRouteMdb;
import io.postbox.it.crash.SampleServer;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Endpoint;
import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
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

    private String physical(String name) {
      return (application() + "-" + name).toUpperCase(java.util.Locale.ROOT);
    }
  }

  private static final List<String> QUEUES =
      List.of("route", "own-route", "own", "dups-ok", "elsewhere");

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
                Path.of(System.getProperty("postbox.artifacts"), "artemis-rar.rar").toString()));
    try {
      Files.writeString(
          server.home().resolve("configDropins/overrides/modes.xml"), configuration());
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
    return ask(pair, "/send", all);
  }

  /** What the listeners have noted under a tag. */
  List<Seen> notes(Pair pair, String tag) {
    String notes = ask(pair, "/notes", Map.of("tag", tag));
    return notes.isEmpty() ? List.of() : Arrays.stream(notes.split("--\n")).map(Seen::of).toList();
  }

  /** How many effects a tag has. */
  int effects(Pair pair, String tag) {
    return Integer.parseInt(ask(pair, "/effects", Map.of("tag", tag)));
  }

  /** How many messages of an id the inbox remembers. */
  int rows(Pair pair, String id) {
    return Integer.parseInt(ask(pair, "/rows", Map.of("id", id)));
  }

  int depth(Pair pair, String queue) {
    return Integer.parseInt(ask(pair, "/depth", Map.of("queue", pair.queue(queue))));
  }

  /** Takes the next message. */
  Seen receive(Pair pair, String queue) {
    return Seen.of(ask(pair, "/receive", Map.of("queue", pair.queue(queue))));
  }

  @Override
  public void close() {
    server.close();
    broker.close();
  }

  private String ask(Pair pair, String path, Map<String, String> parameters) {
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
            pair.connectionFactory);
    WebArchive war =
        Archives.war(
                pair.application(),
                settings,
                ModesServlet.class,
                Answering.class,
                RouteMdb.class,
                OwnRouteMdb.class,
                OwnMdb.class,
                DupsOkMdb.class,
                Failing.class,
                Failing.Failure.class,
                GoOnException.class,
                Notes.class,
                Portrait.class,
                Unknown.class)
            .addAsResource(new ClassAsset(Foreign.class), "foreign.bin");
    war.delete("/WEB-INF/lib/outbox-ejb.jar"); // the inbox alone
    war.as(ZipExporter.class)
        .exportTo(server.home().resolve("apps/" + pair.application() + ".war").toFile(), true);
  }

  private static String configuration() {
    StringBuilder xml =
        new StringBuilder(
            """
            <server>
              <featureManager>
                <feature>connectors-2.1</feature>
              </featureManager>
              <resourceAdapter id="artemis" location="${postbox.artemis.rar}">
                <properties.artemis connectionParameters="host=localhost;port=${postbox.artemis.port}"
                                    reconnectAttempts="0" initialConnectAttempts="1"
                                    callTimeout="10000"/>
              </resourceAdapter>
              <jmsConnectionFactory id="jms/artemis" jndiName="jms/artemis">
                <properties.artemis/>
              </jmsConnectionFactory>
              <!-- short enough for a test to wait for it -->
              <transaction totalTranLifetimeTimeout="6s"/>
              <jmsConnectionFactory id="jms/embedded" jndiName="jms/embedded">
                <properties.wasJms persistentMapping="AssuredPersistent"/>
              </jmsConnectionFactory>
              <library id="modes-h2"><file name="${server.config.dir}/jdbc/h2.jar"/></library>
              <dataSource id="modes-h2" jndiName="jdbc/h2"
                          type="javax.sql.DataSource"
                          isolationLevel="TRANSACTION_READ_COMMITTED">
                <jdbcDriver libraryRef="modes-h2"
                            javax.sql.DataSource="org.h2.jdbcx.JdbcDataSource"/>
                <properties URL="jdbc:h2:file:${postbox.data}/h2/modes;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"
                            user="sa" password=""/>
              </dataSource>
              <messagingEngine>
                <!-- by default no message of 10 MB fits in -->
                <fileStore path="${postbox.data}/messages" logFileSize="50"/>
            """);
    for (Pair pair : Pair.values()) {
      for (String queue : pair.onArtemis() ? List.<String>of() : QUEUES) {
        xml.append(
            "<queue id=\"%s\" failedDeliveryPolicy=\"KEEP_TRYING\" redeliveryInterval=\"200\"/>\n"
                .formatted(pair.physical(queue)));
      }
    }
    xml.append("</messagingEngine>\n");
    for (Pair pair : Pair.values()) {
      xml.append(
          "<webApplication id=\"%1$s\" name=\"%1$s\" location=\"%1$s.war\" contextRoot=\"/%1$s\"/>\n"
              .formatted(pair.application()));
      for (String queue : QUEUES) {
        xml.append(
            "<jmsQueue id=\"%1$s\" jndiName=\"%1$s\"><properties.%2$s=\"%3$s\"/></jmsQueue>\n"
                .formatted(
                    pair.queue(queue),
                    pair.onArtemis() ? "artemis address" : "wasJms queueName",
                    pair.physical(queue)));
      }
      // The engine goes by what is said here, takes seconds for milliseconds, and ignores what the
      // sender says.
      for (int seconds : new int[] {4, 60}) {
        xml.append(
            "<jmsQueue id=\"%1$s-%4$ds\" jndiName=\"%1$s-%4$ds\"><properties.%2$s=\"%3$s\" %5$s/></jmsQueue>\n"
                .formatted(
                    pair.queue("route"),
                    pair.onArtemis() ? "artemis address" : "wasJms queueName",
                    pair.physical("route"),
                    seconds,
                    pair.onArtemis() ? "" : "timeToLive=\"" + seconds + "000s\""));
      }
      xml.append(activation(pair, "RouteMdb", "route", ""));
      xml.append(activation(pair, "OwnRouteMdb", "own-route", ""));
      xml.append(activation(pair, "OwnMdb", "own", ""));
      xml.append(
          activation(pair, "DupsOkMdb", "dups-ok", "acknowledgeMode=\"Dups-ok-acknowledge\""));
    }
    return xml.append("</server>\n").toString();
  }

  private static String activation(Pair pair, String bean, String queue, String more) {
    String properties =
        pair.onArtemis()
            ? "artemis destinationLookup=\"%s\" destinationType=\"jakarta.jms.Queue\" maxSession=\"5\" reconnectAttempts=\"-1\" setupAttempts=\"-1\" setupInterval=\"1000\""
            : "wasJms destinationRef=\"%s\" maxConcurrency=\"5\" maxBatchSize=\"1\"";
    return "<jmsActivationSpec id=\"%s/%s\"><properties.%s %s/></jmsActivationSpec>\n"
        .formatted(pair.application(), bean, properties.formatted(pair.queue(queue)), more);
  }

  /** What a listener or a receiver has seen. */
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
