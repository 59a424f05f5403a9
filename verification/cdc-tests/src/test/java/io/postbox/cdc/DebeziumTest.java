package io.postbox.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.enqueue.UncapturedException;
import io.postbox.outbox.message.Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real connector, configured as docs/cdc.md shows it, on the table as it is. */
@Tag("full")
class DebeziumTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final OutboxMessage MESSAGE = OutboxMessage.to("shipping");

  @TempDir Path folder;
  private OutboxDatabase database;

  @BeforeEach
  void start() throws Exception {
    database = new OutboxDatabase();
  }

  @AfterEach
  void stop() throws Exception {
    database.close();
  }

  private Connector connector() throws Exception {
    return Connector.ready(database, folder.resolve("offsets"));
  }

  private void publish() throws SQLException {
    database.execute(
        "CREATE PUBLICATION postbox_outbox FOR TABLE outbox_message WITH (publish = 'insert')");
  }

  private static Map<String, Object> headers(SourceRecord message) {
    Map<String, Object> headers = new LinkedHashMap<>();
    for (Header header : message.headers()) {
      headers.put(header.key(), header.value());
    }
    return headers;
  }

  private static List<UUID> ids(List<SourceRecord> messages) {
    return messages.stream()
        .map(it -> UUID.fromString(String.valueOf(headers(it).get("OutboxMessageId"))))
        .toList();
  }

  private static OutboxMessage[] many(int howMany) {
    return IntStream.range(0, howMany)
        .mapToObj(i -> MESSAGE.aggregate("Order", i % 7).text("x" + i))
        .toArray(OutboxMessage[]::new);
  }

  @Test
  void aMessageArrivesWithAllThatItSays() throws Exception {
    publish();
    try (Connector connector = connector()) {
      UUID id =
          database
              .enqueue(
                  MESSAGE
                      .event("OrderPlaced")
                      .aggregate("Order", 7)
                      .aggregateVersion(3)
                      .dataSubject("customer-4711")
                      .schemaVersion("2")
                      .correlationId("c")
                      .replyTo("replies")
                      .property("priority", 5)
                      .trace(TRACE, "vendor=1")
                      .json("{\"größe\":\"✓ 😀\"}"))
              .get(0);
      database.enqueue(OutboxMessage.to("billing").text(""));

      List<SourceRecord> messages = connector.await(2);
      SourceRecord full = messages.get(0);
      Map<String, Object> headers = headers(full);
      assertThat(full.topic()).isEqualTo("shipping");
      assertThat(full.key()).isEqualTo("Order/7");
      assertThat(full.value()).isEqualTo("{\"größe\":\"✓ 😀\"}");
      assertThat(headers)
          .containsEntry("id", id.toString())
          .containsEntry("OutboxMessageId", id.toString())
          .containsEntry("OutboxEventType", "OrderPlaced")
          .containsEntry("OutboxAggregateType", "Order")
          .containsEntry("OutboxAggregateId", "7")
          .containsEntry("OutboxDataSubject", OutboxDatabase.DATA_SUBJECTS.digest("customer-4711"))
          .containsEntry("OutboxSchemaVersion", "2")
          .containsEntry("OutboxContentType", "application/json")
          .containsEntry("OutboxSource", "shop")
          .containsEntry("traceparent", TRACE);
      assertThat(String.valueOf(headers.get("OutboxCreatedAt"))).matches("20\\d\\d-.*T.*Z");
      assertThat(Headers.fromJson(String.valueOf(headers.get("OutboxHeaders"))))
          .isEqualTo(new Headers("c", "replies", 3L, "vendor=1", Map.of("priority", 5)));

      SourceRecord bare = messages.get(1);
      assertThat(bare.topic()).isEqualTo("billing");
      assertThat(bare.key()).isNull();
      assertThat(bare.value()).isEqualTo("");
      assertThat(headers(bare))
          .containsEntry("OutboxHeaders", "{}")
          .containsEntry("traceparent", null);
    }
  }

  @Test
  void onlyWhatIsInsertedAfterItsStartIsAMessage() throws Exception {
    List<UUID> old = database.enqueueForRelay(many(10));
    publish();
    List<UUID> expected = new ArrayList<>();
    try (Connector connector = connector()) {
      expected.addAll(database.enqueue(many(1)));
      database.enqueueInVain(many(2));
      database.execute("UPDATE outbox_message SET attempts = 1 WHERE seq % 2 = 0");
      database.execute("DELETE FROM outbox_message WHERE seq % 2 = 0");
      expected.addAll(database.enqueue(many(100)));

      assertThat(ids(connector.await(101))).isEqualTo(expected).doesNotContainAnyElementsOf(old);
    }
    assertThat(database.number("SELECT COUNT(*) FROM outbox_message")).isEqualTo(5);
  }

  /** Where the publication has everything, as when the connector makes it. */
  @Test
  void updatesAndDeletesAreNoMessagesWhateverIsPublished() throws Exception {
    database.execute("CREATE PUBLICATION postbox_outbox FOR ALL TABLES");
    List<UUID> expected = new ArrayList<>();
    try (Connector connector = connector()) {
      expected.addAll(database.enqueue(many(20)));
      expected.addAll(database.enqueueForRelay(many(2)));
      database.execute("UPDATE outbox_message SET status = 'SENT'");
      database.execute("DELETE FROM outbox_message");
      expected.addAll(database.enqueue(many(1)));

      assertThat(ids(connector.await(23))).isEqualTo(expected);
    }
  }

  @Test
  void nothingIsLostWhileItIsAwayOrHasForgottenItsPlace() throws Exception {
    publish();
    List<UUID> expected = new ArrayList<>();
    List<UUID> arrived = new ArrayList<>();
    try (Connector connector = connector()) {
      expected.addAll(database.enqueue(many(5)));
      arrived.addAll(ids(connector.await(5)));
    }
    expected.addAll(database.enqueue(many(50)));
    assertThat(database.number("SELECT COUNT(*) FROM outbox_message")).isZero();
    try (Connector connector = connector()) {
      expected.addAll(database.enqueue(many(5)));
      awaitAll(connector, expected, arrived);
    }
    expected.addAll(database.enqueue(many(50)));
    Files.delete(folder.resolve("offsets"));
    try (Connector connector = connector()) {
      awaitAll(connector, expected, arrived);
    }
    assertThat(arrived.stream().distinct()).containsExactlyElementsOf(expected);
  }

  /**
   * The log of other tables is not for the connector, so nothing of it ends in a record whose place
   * it could confirm: the driver confirms that.
   */
  @Test
  void theSlotConfirmsTheLogToItsEndSoThatItCanBeSeenEmpty() throws Exception {
    publish();
    List<UUID> expected = new ArrayList<>();
    try (Connector connector = connector()) {
      expected.addAll(database.enqueue(many(100)));
      connector.await(100);
      database.execute("CREATE TABLE business AS SELECT generate_series(1, 1000) AS id");
      awaitConfirmed(database.text("SELECT pg_current_wal_insert_lsn()"));
    }
    expected.addAll(database.enqueue(many(5)));
    try (Connector connector = connector()) {
      assertThat(ids(connector.await(5))).isEqualTo(expected.subList(100, 105));
    }
  }

  private void awaitConfirmed(String end) {
    Awaitility.await("confirmed")
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                database
                    .text(
                        "SELECT confirmed_flush_lsn >= '%s'::pg_lsn FROM pg_replication_slots"
                            .formatted(end))
                    .equals("t"));
  }

  /** It loses the rows that it had not read, which is why docs/cdc.md says so much about slots. */
  @Test
  void withoutItsSlotTheConnectorStopsAndNothingIsEnqueuedUntilItBeginsAnew() throws Exception {
    publish();
    try (Connector connector = connector()) {
      database.enqueue(many(5));
      connector.await(5);
    }
    database.execute("SELECT pg_drop_replication_slot('postbox_outbox')");
    try (Connector connector = new Connector(database, folder.resolve("offsets"))) {
      assertThat(connector.awaitEnd()).contains("no longer available on the server");
      assertThatThrownBy(() -> database.enqueue(many(1))).isInstanceOf(UncapturedException.class);
    }
    Files.delete(folder.resolve("offsets"));
    try (Connector connector = connector()) {
      List<UUID> expected = database.enqueue(many(5));
      assertThat(ids(connector.await(5))).isEqualTo(expected);
    }
  }

  /** Messages that arrived twice were sent twice, which the inbox detects. */
  private static void awaitAll(Connector connector, List<UUID> expected, List<UUID> arrived) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              List<UUID> all = new ArrayList<>(arrived);
              all.addAll(ids(connector.messages()));
              return all.containsAll(expected);
            });
    arrived.addAll(ids(connector.messages()));
  }
}
