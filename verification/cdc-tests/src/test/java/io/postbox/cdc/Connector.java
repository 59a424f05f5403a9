package io.postbox.cdc;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.connect.source.SourceRecord;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

/** Debezium in this process, configured as docs/cdc.md shows it. */
final class Connector implements AutoCloseable {
  private static final Path DOCUMENT = Path.of("../../docs/cdc.md");
  private static final Pattern PROPERTIES = Pattern.compile("(?ms)^```properties\n(.*?)^```");
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final String HEARTBEATS = "__debezium-heartbeat";

  private final List<SourceRecord> records = new CopyOnWriteArrayList<>();
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;

  /**
   * Starts it.
   *
   * @param offsets the file in which it remembers its place
   */
  Connector(OutboxDatabase database, Path offsets) throws IOException {
    Properties properties = shown();
    properties.setProperty("name", "outbox");
    properties.setProperty("database.hostname", "localhost");
    properties.setProperty("database.port", String.valueOf(database.port()));
    properties.setProperty("database.dbname", "postgres");
    properties.setProperty("database.user", "postgres");
    properties.setProperty("database.password", "postgres");
    properties.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    properties.setProperty("offset.storage.file.filename", offsets.toString());
    properties.setProperty("offset.flush.interval.ms", "0");
    engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(properties)
            .notifying(event -> records.add(event.record()))
            .using((success, message, error) -> end.complete(String.valueOf(error)))
            .build();
    thread.execute(engine);
  }

  /** Starts it, and waits until its slot carries all that is enqueued. */
  static Connector ready(OutboxDatabase database, Path offsets) throws IOException {
    Connector connector = new Connector(database, offsets);
    Awaitility.await("the slot").atMost(LONGEST).until(database::hasSlot);
    return connector;
  }

  /** Waits until it has ended, and returns why. */
  String awaitEnd() throws InterruptedException, ExecutionException, TimeoutException {
    return end.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
  }

  /** The properties that the document shows. */
  static Properties shown() throws IOException {
    Matcher block = PROPERTIES.matcher(Files.readString(DOCUMENT));
    Assertions.assertThat(block.find()).isTrue();
    Properties properties = new Properties();
    properties.load(new StringReader(block.group(1)));
    return properties;
  }

  /** The messages so far, without the connector's heartbeats. */
  List<SourceRecord> messages() {
    return records.stream().filter(it -> !it.topic().startsWith(HEARTBEATS)).toList();
  }

  /** Waits until there are so many. */
  List<SourceRecord> await(int howMany) {
    Awaitility.await("messages").atMost(LONGEST).until(() -> messages().size() >= howMany);
    return messages();
  }

  @Override
  public void close() throws IOException {
    if (!end.isDone()) {
      engine.close();
    }
    thread.shutdown();
  }
}
