package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.TestDelivery;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class QuarantineStoreTest {
  private static final TableNames TABLES = new TableNames("", "");
  private static final Fingerprint ONE = new Fingerprint(1, "11".repeat(32));
  private static final Fingerprint OTHER = new Fingerprint(1, "ee".repeat(32));

  @Parameter TestDatabase database;
  private Connection connection;
  private KeptStore store;

  @BeforeEach
  void makeTheTables() throws SQLException {
    connection = TestDatabase.connect(database.freshUrl());
    Dialect dialect = Dialect.of(connection, "inbox");
    new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(connection);
    store = new KeptStore(dialect, TABLES, KeptContents.CLEAR);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void aQuarantinedDeliveryKeepsItsBody() throws SQLException {
    String body = "x".repeat(3_000_000) + "ä€😀";
    quarantine(null, QuarantineReason.MISSING_ID, null, BodyType.TEXT, body, null);
    byte[] bytes = {0, 1, -1};
    quarantine(
        "id-1",
        QuarantineReason.OTHER_CONTENT,
        OTHER,
        BodyType.BYTES,
        null,
        ByteBuffer.wrap(bytes));
    connection.commit();

    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM inbox_stored ORDER BY id")) {
      rows.next();
      assertThat(rows.getString("consumer")).isEqualTo("shipping");
      assertThat(rows.getString("message_id")).isNull();
      assertThat(rows.getString("reason")).isEqualTo("MISSING_ID");
      assertThat(rows.getBytes("stored_fingerprint")).isNull();
      assertThat(rows.getString("body_type")).isEqualTo("TEXT");
      assertThat(rows.getString("payload_text")).isEqualTo(body);
      assertThat(rows.getBytes("payload_bytes")).isNull();
      assertThat(rows.getString("properties")).isEqualTo("{}");
      assertThat(rows.getString("status")).isEqualTo("QUARANTINED");
      assertThat(rows.getTimestamp("stored_at")).isNotNull();
      assertThat(rows.getTimestamp("kept_at")).isNotNull();
      rows.next();
      assertThat(rows.getString("message_id")).isEqualTo("id-1");
      assertThat(rows.getBytes("fingerprint")).hasSize(32).containsOnly(0x11);
      assertThat(rows.getBytes("stored_fingerprint")).hasSize(32).containsOnly(0xee);
      assertThat(rows.getInt("stored_fingerprint_version")).isEqualTo(1);
      assertThat(rows.getString("payload_text")).isNull();
      assertThat(rows.getBytes("payload_bytes")).isEqualTo(bytes);
    }
  }

  @Test
  void aMessageIsParkedOnceAndAnotherContentUnderItsIdBeside() throws SQLException {
    assertThat(park(ONE)).isEmpty();
    assertThat(park(ONE)).contains(ONE);
    assertThat(park(OTHER)).as("with what it differs from").contains(ONE);
    for (boolean isNew : new boolean[] {true, false}) {
      assertThat(
              store.quarantine(
                  connection,
                  new Quarantined(
                      TestDelivery.of("id-1").with(OTHER).delivery(),
                      "id-1",
                      QuarantineReason.OTHER_CONTENT,
                      ONE)))
          .isEqualTo(isNew);
    }
    connection.commit();

    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT status, fingerprint FROM inbox_stored ORDER BY id")) {
      row.next();
      assertThat(row.getString(1)).isEqualTo("PARKED");
      assertThat(row.getBytes(2)).containsOnly(0x11);
      row.next();
      assertThat(row.getString(1)).isEqualTo("QUARANTINED");
      assertThat(row.getBytes(2)).containsOnly(0xee);
      assertThat(row.next()).isFalse();
    }
  }

  private Optional<Fingerprint> park(Fingerprint fingerprint) throws SQLException {
    return store.park(
        connection,
        new Parked(
            TestDelivery.of("id-1").with(fingerprint).delivery(),
            "id-1",
            ParkReason.TOO_MANY_FAILURES,
            "no stock",
            "5ef0",
            3),
        false);
  }

  private void quarantine(
      @Nullable String id,
      QuarantineReason reason,
      @Nullable Fingerprint stored,
      BodyType type,
      @Nullable String text,
      @Nullable ByteBuffer bytes)
      throws SQLException {
    TestDelivery delivery =
        TestDelivery.of("unused").with(ONE).with(new Content(type, text, bytes, "{}"));
    store.quarantine(connection, new Quarantined(delivery.delivery(), id, reason, stored));
  }
}
