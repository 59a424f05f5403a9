package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PayloadCipher;
import io.postbox.common.config.TableNames;
import io.postbox.common.log.RecordedError;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.KeptContentsTest.Turning;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The texts of handlers may be a message's content: they go through the cipher too. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class EncryptedTextsTest {
  private static final TableNames TABLES = new TableNames("", "");
  private static final String SECRET = "höchst geheim: card 4711";

  @Parameter TestDatabase database;
  private Connection connection;
  private Optional<PayloadCipher> cipher = Optional.of(new Turning("key-1"));
  private Stores stores;

  @BeforeEach
  void makeTheTables() throws SQLException {
    connection = TestDatabase.connect(database.freshUrl());
    Dialect dialect = Dialect.of(connection, "inbox");
    new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(connection);
    connection.setAutoCommit(true);
    stores = Stores.of(dialect, TABLES, new KeptContents(() -> cipher));
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void aResultIsNotInTheTableInTheClear() throws SQLException {
    assertThat(stores.results().put(connection, "shipping", "id-1", "", SECRET, null)).isTrue();
    assertThat(stores.results().put(connection, "shipping", "id-1", "nothing", null, null))
        .isTrue();

    assertThat(rows("inbox_result")).hasSize(2).noneMatch(row -> row.contains("geheim"));
    assertThat(result("")).isEqualTo(SECRET);
    assertThat(result("nothing")).isNull();
  }

  @Test
  void aReasonIsNotInTheTableInTheClearAndItsSignatureIs() throws SQLException {
    fail(Kind.FAILED, SECRET);

    assertThat(rows("inbox_failure"))
        .singleElement()
        .satisfies(row -> assertThat(row).contains("5ef0").doesNotContain("geheim"));
    assertThat(failures().last()).isEqualTo(SECRET);
    fail(Kind.REJECTED, "never " + SECRET);
    fail(Kind.LATER, "or perhaps");
    assertThat(failures().last()).isEqualTo("never " + SECRET);
    assertThat(failures().rejected()).isTrue();
  }

  @Test
  void theErrorOfAParkedMessageIsNotInTheTableInTheClearAndItsSignatureIs() throws SQLException {
    Delivery delivery = TestDelivery.of("id-1").delivery();
    stores
        .kept()
        .park(
            connection,
            new Parked(delivery, "id-1", ParkReason.REJECTED, SECRET, "5ef0", 1),
            false);

    assertThat(rows("inbox_stored"))
        .singleElement()
        .satisfies(row -> assertThat(row).contains("5ef0").doesNotContain("geheim"));
  }

  @Test
  void rowsFromBeforeTheCipherStayReadableAndThoseAfterItGoOn() throws SQLException {
    cipher = Optional.empty();
    stores.results().put(connection, "shipping", "id-1", "", SECRET, null);
    fail(Kind.REJECTED, SECRET);
    cipher = Optional.of(new Turning("key-1"));

    assertThat(result("")).isEqualTo(SECRET);
    assertThat(failures().last()).isEqualTo(SECRET);
    fail(Kind.REJECTED, "twice"); // by two nodes at once
    assertThat(failures().last()).isIn("twice", SECRET);
  }

  /** A failure counts whatever becomes of its reason; an outside effect must not be made twice. */
  @Test
  void withoutTheKeyAFailureCountsAndAResultIsNotTakenForNone() throws SQLException {
    stores.results().put(connection, "shipping", "id-1", "", SECRET, null);
    fail(Kind.FAILED, SECRET);
    cipher = Optional.of(new Turning("key-2"));

    assertThat(failures().counted()).isEqualTo(1);
    assertThat(failures().last()).contains("cannot be decrypted").doesNotContain("geheim");
    assertThatThrownBy(() -> result(""))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("cannot be decrypted");
    cipher = Optional.empty();
    assertThat(failures().counted()).isEqualTo(1);
    assertThatThrownBy(() -> result(""))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("no PayloadCipher");
  }

  @Test
  void anUnencryptableTextIsNotWritten() throws SQLException {
    cipher = Optional.of(new Turning("")); // no id of a key
    fail(Kind.FAILED, SECRET);

    assertThat(failures().counted()).isEqualTo(1);
    assertThat(failures().last()).contains("could not be encrypted");
    assertThat(rows("inbox_failure")).noneMatch(row -> row.contains("geheim"));
    assertThatThrownBy(() -> stores.results().put(connection, "shipping", "id-1", "", SECRET, null))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("cannot be encrypted")
        .hasMessageNotContaining("geheim");
    assertThat(rows("inbox_result")).isEmpty();
  }

  @Test
  void theLongestTextsFit() throws SQLException {
    String longest = "é".repeat(1_048_576);
    stores.results().put(connection, "shipping", "id-1", "", longest, null);
    fail(Kind.FAILED, "é".repeat(2_000));

    assertThat(result("")).isEqualTo(longest);
    assertThat(failures().last()).hasSize(2_000);
  }

  /** A writer to the tables without the key cannot move a text to another message. */
  @Test
  void textsOfOtherRowsAreNotTakenForTheirs() throws SQLException {
    stores.results().put(connection, "shipping", "id-1", "", "one", null);
    stores.results().put(connection, "shipping", "id-1", "charge", "two", null);
    stores.results().put(connection, "billing", "id-1", "", "three", null);
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          """
          UPDATE inbox_result SET sealed_result =
            (SELECT r.sealed_result FROM inbox_result r WHERE r.consumer = 'billing')
          """);
    }
    for (String effect : List.of("", "charge")) {
      assertThatThrownBy(() -> result(effect)).hasMessageContaining("cannot be decrypted");
    }
    fail(Kind.FAILED, SECRET);
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE inbox_failure SET message_id = 'id-9'");
    }
    assertThat(stores.failures().of(connection, "shipping", "id-9").last())
        .contains("cannot be decrypted");
  }

  @Test
  void whereEncryptionIsRequiredNothingIsReadInTheClear() throws SQLException {
    cipher = Optional.empty();
    stores.results().put(connection, "shipping", "id-1", "", SECRET, null);
    stores.results().put(connection, "shipping", "id-1", "nothing", null, null);
    fail(Kind.FAILED, SECRET);
    cipher = Optional.of(new Turning("key-1"));
    stores =
        Stores.of(
            Dialect.of(connection, "inbox"),
            TABLES,
            new KeptContents(() -> cipher, true, times -> {}, Runnable::run));

    assertThatThrownBy(() -> result(""))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("not encrypted, and postbox.encryption=required")
        .hasMessageNotContaining("geheim");
    assertThat(result("nothing")).isNull();
    assertThat(failures().counted()).isEqualTo(1);
    assertThat(failures().last()).contains("postbox.encryption=required").doesNotContain("geheim");
    cipher = Optional.of(new Turning(""));
    fail(Kind.FAILED, SECRET);
    assertThat(failures().last()).contains("could not be encrypted");
  }

  private String result(String effect) throws SQLException {
    return stores.results().get(connection, "shipping", "id-1", effect).orElseThrow().value();
  }

  private void fail(Kind kind, String reason) throws SQLException {
    stores
        .failures()
        .insert(
            connection,
            "a node",
            new Failure(
                "shipping",
                "id-1",
                1,
                kind,
                null,
                new RecordedError(reason, "", "", "5ef0"),
                0,
                false));
  }

  private Failures failures() throws SQLException {
    return stores.failures().of(connection, "shipping", "id-1");
  }

  private List<String> rows(String table) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM " + table)) {
      while (row.next()) {
        StringBuilder all = new StringBuilder();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          all.append(row.getString(i)).append('|');
        }
        rows.add(all.toString());
      }
    }
    return rows;
  }
}
