package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.common.PayloadCipher;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import io.postbox.common.StoredPayload;
import io.postbox.common.testing.DyingNode;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.encryption.Sealing;
import io.postbox.outbox.enqueue.Editor;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.store.EditStore;
import io.postbox.outbox.store.OperatorStore.Place;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EditsTest {
  private static final UUID FIRST = new UUID(0, 1);
  private static final String AUDIT =
      "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages || ' ' || subject"
          + " FROM shop.pb_postbox_audit";

  private static Edits edits(
      DeadLetterFixture fixture, DataSource dataSource, Optional<PayloadCipher> cipher) {
    return new Edits(
        new OutboxTables(fixture.database.dialect(), fixture.config, dataSource),
        new Editor(new PayloadEncoder(100, 1 << 20, String::valueOf, cipher, false)));
  }

  private static Edits edits(DeadLetterFixture fixture) {
    return edits(fixture, fixture.counting.dataSource(), Optional.empty());
  }

  /** A dead head, seq 1, and three that wait behind it. */
  private static DeadLetterFixture held(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 1, "d", "'k'");
    fixture.insert("HELD", 3, "d", "'k'");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 1");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
        WHERE status = 'DEAD'
        """);
    return fixture;
  }

  @ParameterizedTest
  @EnumSource
  void anEditedHeadKeepsItsPlaceAndItsKeyUnderANewId(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = held(database);
    UUID edited =
        edits(fixture).edit(FIRST, MessageEdit.text("mended"), "ada", "typo").orElseThrow();

    assertThat(edited).isNotEqualTo(FIRST);
    assertThat(
            fixture.column(
                "SELECT seq || ' ' || id || ' ' || status || ' ' || payload_text || ' ' ||"
                    + " content_type || ' ' || ordering_key || ' ' || aggregate_id || ' ' ||"
                    + " headers FROM shop.pb_outbox_message WHERE status = 'DEAD'"))
        .containsExactly("1 " + edited + " DEAD mended text/plain k 1 {}");
    assertThat(fixture.column("SELECT head_id FROM shop.pb_outbox_held_key"))
        .containsExactly(edited.toString());
    assertThat(fixture.column(AUDIT))
        .containsExactly(
            "edit ada typo 1 message %s as %s: MessageEdit[payload=true, properties=same]"
                .formatted(FIRST, edited));

    assertThat(fixture.redrive(fixture.plan())).isEqualTo(1);
    assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message ORDER BY seq"))
        .containsExactly("PENDING", "HELD", "HELD", "HELD");
    assertThat(edits(fixture).edit(edited, MessageEdit.text("x"), "ada", "y")).isEmpty();
    assertThat(edits(fixture).edit(FIRST, MessageEdit.text("x"), "ada", "y")).isEmpty();
  }

  /** A cipher may call a key service, which may hang. */
  @ParameterizedTest
  @EnumSource
  void theCipherWorksWhileThePartitionIsFree(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = held(database);
    SampleCipher sample = new SampleCipher("k1");
    int[] calls = new int[1];
    PayloadCipher cipher =
        new PayloadCipher() {
          @Override
          public Encrypted encrypt(byte[] plain, AssociatedData associated) throws Exception {
            calls[0]++;
            try (Connection other = fixture.counting.dataSource().getConnection();
                Statement statement = other.createStatement()) {
              statement.execute(
                  "SELECT 1 FROM shop.pb_outbox_partition WHERE partition_no = 1 FOR UPDATE SKIP"
                      + " LOCKED");
              try (ResultSet free = statement.getResultSet()) {
                assertThat(free.next()).as("the partition is free").isTrue();
              }
            }
            return sample.encrypt(plain, associated);
          }

          @Override
          public byte[] decrypt(Encrypted encrypted, AssociatedData associated) throws Exception {
            return sample.decrypt(encrypted, associated);
          }
        };
    Edits edits = edits(fixture, fixture.counting.dataSource(), Optional.of(cipher));
    assertThat(edits.edit(FIRST, MessageEdit.text("mended"), "ada", "typo")).isPresent();
    assertThat(calls[0]).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void propertiesAreReplacedAndThePayloadStays(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = held(database);
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET content_type = 'application/json', payload_text ="
            + " '{\"a\":1}', headers = '"
            + new Headers("c", null, null, null, Map.of("old", 5)).toJson()
            + "'");
    MessageEdit edit = MessageEdit.samePayload().properties(Map.of("retry", true));
    edits(fixture).edit(FIRST, edit, "ada", "x");
    assertThat(
            fixture.column(
                "SELECT content_type || payload_text FROM shop.pb_outbox_message WHERE status ="
                    + " 'DEAD'"))
        .containsExactly("application/json{\"a\":1}");
    assertThat(
            Headers.fromJson(
                fixture
                    .column("SELECT headers FROM shop.pb_outbox_message WHERE status = 'DEAD'")
                    .get(0)))
        .isEqualTo(new Headers("c", null, null, null, Map.of("retry", true)));
    assertThat(fixture.column(AUDIT).get(0)).endsWith("[payload=false, properties=[retry]]");

    fixture.rows.execute("UPDATE shop.pb_outbox_message SET headers = 'not ours'");
    String id =
        fixture.column("SELECT id FROM shop.pb_outbox_message WHERE status = 'DEAD'").get(0);
    assertThatThrownBy(() -> edits(fixture).edit(UUID.fromString(id), edit, "ada", "x"))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining("its stored headers cannot be read");
  }

  @ParameterizedTest
  @EnumSource
  void anEditThatCouldNotBeEnqueuedIsRefused(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = held(database);
    List<MessageEdit> refused =
        List.of(
            MessageEdit.text("x".repeat(101)),
            MessageEdit.text("nul \0"),
            MessageEdit.bytes(new byte[101]),
            MessageEdit.samePayload().properties(Map.of("JMSType", "x")),
            MessageEdit.samePayload().properties(Map.of("p", new Object())));
    for (MessageEdit each : refused) {
      assertThatThrownBy(() -> edits(fixture).edit(FIRST, each, "ada", "x"))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessageContaining(FIRST.toString());
    }
    assertThatThrownBy(() -> edits(fixture).edit(FIRST, MessageEdit.text("x"), "ada", ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(fixture.column("SELECT id FROM shop.pb_outbox_message WHERE status = 'DEAD'"))
        .containsExactly(FIRST.toString());
    assertThat(fixture.column(AUDIT)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aPreviewTellsMeasuresAndChangesNothing(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = held(database);
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET payload_text = 'old', headers = '"
            + new Headers("c", "replies", null, null, Map.of("old", 5)).toJson()
            + "'");
    DeadLetter letter =
        new DeadLetterQueries(
                fixture.config, fixture.counting.dataSource(), new StoredErrors(Optional.empty()))
            .get(FIRST)
            .orElseThrow();
    EditPreview<DeadLetter> preview =
        edits(fixture)
            .preview(
                letter, MessageEdit.text("m\u00e4h").properties(Map.of("b", 1, "a", true)), "ada")
            .orElseThrow();

    assertThat(preview.replyTo()).contains("replies");
    assertThat(preview.source()).contains(fixture.config.service());
    assertThat(preview.before().properties()).containsExactly("old");
    assertThat(preview.before().bytes()).isEqualTo(3);
    assertThat(preview.before().sha256())
        .contains("cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4");
    assertThat(preview.after().properties()).containsExactly("a", "b");
    assertThat(preview.after().bytes()).isEqualTo(4);
    assertThat(preview.toString()).doesNotContain("m\u00e4h");
    assertThat(
            fixture.column(
                "SELECT id || payload_text FROM shop.pb_outbox_message WHERE status = 'DEAD'"))
        .containsExactly(FIRST + "old");
    assertThat(fixture.column(AUDIT)).isEmpty();
    assertThatThrownBy(
            () -> edits(fixture).preview(letter, MessageEdit.text("x".repeat(101)), "ada"))
        .isInstanceOf(MessageRefusedException.class);

    fixture.rows.execute("UPDATE shop.pb_outbox_message SET status = 'PENDING'");
    assertThat(edits(fixture).preview(letter, MessageEdit.text("x"), "ada")).isEmpty();
  }

  /** The row has neither the change nor anything to try guesses of it with. */
  @ParameterizedTest
  @EnumSource
  void aPlannedEditIsCarriedOutOnceByItsOwnerOnAnyNode(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = held(database);
    MessageEdit edit = MessageEdit.text("mended").properties(Map.of("p", 5));
    EditPreview<DeadLetter> preview =
        edits(fixture).preview(letter(fixture), edit, "ada").orElseThrow();
    UUID plan = preview.token().id();
    String key = preview.key();
    String row = fixture.column("SELECT plan || subject FROM shop.pb_outbox_action").get(0);
    assertThat(row).startsWith("edit ").doesNotContain("mended").doesNotContain(key);

    refuses(Why.FOREIGN, () -> edits(fixture).edit(plan, key, FIRST, edit, "eve", "x"));
    for (MessageEdit other :
        List.of(
            MessageEdit.text("mended"),
            MessageEdit.bytes("mended".getBytes(StandardCharsets.UTF_8)).properties(Map.of("p", 5)),
            MessageEdit.text("mended").properties(Map.of("p", 5L)),
            MessageEdit.text("mended").properties(Map.of("p", "5")))) {
      refuses(Why.UNKNOWN, () -> edits(fixture).edit(plan, key, FIRST, other, "ada", "x"));
    }
    refuses(Why.UNKNOWN, () -> edits(fixture).edit(plan, key + "0", FIRST, edit, "ada", "x"));
    refuses(Why.UNKNOWN, () -> fixture.actions.discard(preview(plan), "ada", "x"));
    assertThat(fixture.column(AUDIT)).isEmpty();

    UUID edited = edits(fixture).edit(plan, key, FIRST, edit, "ada", "typo").orElseThrow();
    assertThat(
            fixture.column(
                "SELECT id || ' ' || payload_text FROM shop.pb_outbox_message WHERE status ="
                    + " 'DEAD'"))
        .containsExactly(edited + " mended");
    assertThat(fixture.column("SELECT id FROM shop.pb_postbox_audit"))
        .containsExactly(plan.toString());
    assertThat(fixture.column("SELECT state || plan FROM shop.pb_outbox_action"))
        .containsExactly("DONE{}");
    refuses(Why.USED, () -> edits(fixture).edit(plan, key, FIRST, edit, "ada", "x"));
  }

  @ParameterizedTest
  @EnumSource
  void aNodeThatDiesHasCarriedOutThePlanOrLeftIt(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = held(database);
    MessageEdit edit = MessageEdit.text("mended");
    EditPreview<DeadLetter> preview =
        edits(fixture).preview(letter(fixture), edit, "ada").orElseThrow();
    boolean survived = false;
    for (int moments = 0; !survived; moments++) {
      DyingNode mortal = new DyingNode(fixture.counting.dataSource(), moments);
      try {
        edits(fixture, mortal.dataSource(), Optional.empty())
            .edit(preview.token().id(), preview.key(), FIRST, edit, "ada", "x");
        survived = true;
      } catch (OutboxException died) {
        assertThat(died).hasMessageContaining("the node is dead");
      } catch (PlanRefusedException used) {
        assertThat(used.why()).as("it died after the commit").isEqualTo(Why.USED);
        survived = true;
      }
      boolean isDone = fixture.column("SELECT state FROM shop.pb_outbox_action").contains("DONE");
      assertThat(fixture.column(AUDIT)).hasSize(isDone ? 1 : 0);
      assertThat(
              fixture.column(
                  "SELECT payload_text FROM shop.pb_outbox_message WHERE status = 'DEAD'"))
          .containsExactly(isDone ? "mended" : "x");
    }
  }

  private static DeadLetter letter(DeadLetterFixture fixture) {
    return fixture.queries.get(FIRST).orElseThrow();
  }

  /** An edit's plan, handed in as one of letters. */
  private static DeadLetterPlan preview(UUID plan) {
    return new DeadLetterPlan(
        new PlanToken(plan, "ada", Instant.MAX), DeadLetterFilter.all(), Instant.MAX, 1, List.of());
  }

  private static void refuses(Why why, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            PlanRefusedException.class, refused -> assertThat(refused.why()).isEqualTo(why));
  }

  @ParameterizedTest
  @EnumSource
  void aPayloadIsReadOnRecord(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = held(database);
    PayloadCipher cipher = new SampleCipher("k1");
    Edits edits = edits(fixture, fixture.counting.dataSource(), Optional.of(cipher));
    UUID sealed = edits.edit(FIRST, MessageEdit.text("secret"), "ada", "x").orElseThrow();

    StoredPayload payload = edits.payload(sealed, "eve").orElseThrow();

    assertThat(payload.text()).contains("secret");
    assertThat(payload.bytes()).isEmpty();
    assertThat(payload.toString()).doesNotContain("secret");
    assertThat(fixture.column(AUDIT + " WHERE action = 'view-payload'"))
        .containsExactly("view-payload eve seen 1 dead letter " + sealed);
    assertThat(edits.payload(FIRST, "eve")).isEmpty();
    assertThatThrownBy(() -> edits(fixture).payload(sealed, "eve"))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("cannot be decrypted");
    assertThat(fixture.column(AUDIT + " WHERE action = 'view-payload'")).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void besideACipherItIsEncryptedForItsNewId(TestDatabase database) throws Exception {
    DeadLetterFixture fixture = held(database);
    PayloadCipher cipher = new SampleCipher("k1");
    Edits edits = edits(fixture, fixture.counting.dataSource(), Optional.of(cipher));
    UUID second = edits.edit(FIRST, MessageEdit.text("secret"), "ada", "x").orElseThrow();
    UUID third =
        edits
            .edit(second, MessageEdit.samePayload().properties(Map.of("p", "v")), "ada", "x")
            .orElseThrow();
    EditStore store = new EditStore(database.dialect(), fixture.config.tables());
    try (Connection connection = fixture.counting.dataSource().getConnection()) {
      Envelope sealed = store.read(connection, new Place(1, 1)).orElseThrow().envelope();
      assertThat(sealed.id()).isEqualTo(third);
      assertThat(Sealing.isSealed(sealed)).isTrue();
      Sealing sealing = new Sealing(cipher);
      assertThat(sealing.openBody(sealed)).isEqualTo(new Body.Text("secret"));
      assertThat(Headers.fromJson(sealing.openHeaders(sealed)).properties())
          .isEqualTo(Map.of("p", "v"));
    }
    assertThatThrownBy(() -> edits(fixture).edit(third, MessageEdit.bytes(new byte[1]), "ada", "x"))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining("there is no PayloadCipher");
  }

  @ParameterizedTest
  @EnumSource
  void aNodeThatDiesHasEditedItWithARecordOrNotAtAll(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = held(database);
    boolean survived = false;
    for (int moments = 0; !survived; moments++) {
      String before = fixture.column("SELECT head_id FROM shop.pb_outbox_held_key").get(0);
      int records = fixture.column(AUDIT).size();
      DyingNode mortal = new DyingNode(fixture.counting.dataSource(), moments);
      try {
        edits(fixture, mortal.dataSource(), Optional.empty())
            .edit(UUID.fromString(before), MessageEdit.text("m" + moments), "ada", "x");
        survived = true;
      } catch (OutboxException died) {
        assertThat(died).hasMessageContaining("the node is dead");
      }
      String now =
          fixture.column("SELECT id FROM shop.pb_outbox_message WHERE status = 'DEAD'").get(0);
      assertThat(fixture.column("SELECT head_id FROM shop.pb_outbox_held_key"))
          .containsExactly(now);
      assertThat(fixture.column(AUDIT)).hasSize(records + (now.equals(before) ? 0 : 1));
    }
  }
}
