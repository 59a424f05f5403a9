package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PlanRefusedException;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResendTest {
  private static final UUID FIRST = new UUID(0, 1);
  private static final String AUDIT =
      "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages || ' ' || subject"
          + " FROM shop.pb_postbox_audit WHERE action = 'resend'";
  private static final String SAME =
      " destination || ordering_key || aggregate_type || aggregate_id || event_type ||"
          + " schema_version || content_type || payload_text || headers || trace_parent ";

  private static Resend resend(DeadLetterFixture fixture) {
    return new Resend(
        new OutboxTables(
            fixture.database.dialect(), fixture.config, fixture.counting.dataSource()));
  }

  private static DeadLetterFixture archived(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 1, "d", "'k'");
    fixture.actions.discard(fixture.plan(), "ada", "x");
    assertThat(fixture.count()).isZero();
    return fixture;
  }

  @ParameterizedTest
  @EnumSource
  void anArchivedMessageIsEnqueuedAsItWas(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = archived(database);
    fixture.insert("PENDING", 1, "d", "'k'");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET id = '00000000-0000-0000-0000-000000000009'");
    assertThat(resend(fixture).resend(Optional.empty(), FIRST, FIRST, "ada", "lost it"))
        .isPresent();

    assertThat(
            fixture.column(
                "SELECT id || ' ' || status || ' ' || attempts FROM shop.pb_outbox_message"
                    + " WHERE last_error IS NULL ORDER BY seq"))
        .containsExactly("00000000-0000-0000-0000-000000000001 PENDING 0");
    assertThat(fixture.column("SELECT id FROM shop.pb_outbox_message ORDER BY seq"))
        .last()
        .as("behind the others of its key")
        .isEqualTo(FIRST.toString());
    assertThat(fixture.column("SELECT" + SAME + "FROM shop.pb_outbox_message WHERE attempts = 0"))
        .isEqualTo(fixture.column("SELECT" + SAME + "FROM shop.pb_outbox_archive"));
    assertThat(fixture.column(AUDIT)).containsExactly("resend ada lost it 1 message " + FIRST);

    assertThatThrownBy(() -> resend(fixture).resend(Optional.empty(), FIRST, FIRST, "ada", "again"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is in the outbox");
    assertThat(fixture.column(AUDIT)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void underANewIdItCanBeSentBesideTheFirst(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = archived(database);
    UUID other = UUID.randomUUID();
    assertThat(resend(fixture).resend(Optional.empty(), FIRST, FIRST, "ada", "x")).isPresent();
    assertThat(resend(fixture).resend(Optional.empty(), FIRST, other, "ada", "y")).isPresent();
    assertThat(fixture.column("SELECT id FROM shop.pb_outbox_message ORDER BY seq"))
        .containsExactly(FIRST.toString(), other.toString());
    assertThat(fixture.column("SELECT COUNT(DISTINCT partition_no) FROM shop.pb_outbox_message"))
        .as("the key decides")
        .containsExactly("1");
    assertThatThrownBy(() -> resend(fixture).resend(Optional.empty(), FIRST, other, "ada", "z"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(resend(fixture).resend(Optional.empty(), UUID.randomUUID(), other, "ada", "z"))
        .isEmpty();
    assertThat(fixture.column(AUDIT)).hasSize(2);
    assertThatThrownBy(
            () -> resend(fixture).resend(Optional.empty(), FIRST, UUID.randomUUID(), "ada", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void anEncryptedMessageKeepsItsId(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = archived(database);
    fixture.rows.execute("UPDATE shop.pb_outbox_archive SET headers = '{\"sealed\":\"a.b\"}'");
    assertThatThrownBy(
            () -> resend(fixture).resend(Optional.empty(), FIRST, UUID.randomUUID(), "ada", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bound to its id");
    assertThat(fixture.count()).isZero();
    assertThat(resend(fixture).resend(Optional.empty(), FIRST, FIRST, "ada", "x")).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void ifItsTransactionIsLostNothingIsOnRecord(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = archived(database);
    fixture.counting.loseCommits(1);
    assertThatThrownBy(() -> resend(fixture).resend(Optional.empty(), FIRST, FIRST, "ada", "x"))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("was not resent");
    assertThat(fixture.count()).isZero();
    assertThat(fixture.column(AUDIT)).isEmpty();
  }

  @Test
  void withAConnectorNothingIsResent() throws SQLException {
    DeadLetterFixture fixture = archived(TestDatabase.H2);
    Resend resend =
        new Resend(
            new OutboxTables(
                fixture.database.dialect(),
                TestConfig.DEFAULT.withTables("shop", "pb_").withCdc().config(),
                fixture.counting.dataSource()));
    assertThatThrownBy(() -> resend.resend(Optional.empty(), FIRST, FIRST, "ada", "x"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aPlannedResendIsCarriedOutOnceOnAnyNode(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = archived(database);
    UUID newId = UUID.randomUUID();
    UUID plan = resend(fixture).plan(FIRST, newId, "ada").id();

    assertThatThrownBy(() -> planned(fixture, plan, FIRST, FIRST, "ada"))
        .as("under another id")
        .isInstanceOf(PlanRefusedException.class);
    assertThatThrownBy(() -> planned(fixture, plan, FIRST, newId, "eve"))
        .isInstanceOf(PlanRefusedException.class);
    assertThat(planned(fixture, plan, FIRST, newId, "ada")).isPresent();
    assertThatThrownBy(() -> planned(fixture, plan, FIRST, newId, "ada"))
        .isInstanceOf(PlanRefusedException.class);
    assertThat(fixture.column("SELECT id FROM shop.pb_postbox_audit WHERE action = 'resend'"))
        .containsExactly(plan.toString());
    assertThat(
            fixture.column(
                "SELECT state || ' ' || plan || ' ' || done FROM shop.pb_outbox_action WHERE action"
                    + " = 'resend'"))
        .containsExactly("DONE {} 1");
  }

  /** By another node: nothing but the row is left of the one that planned it. */
  private static Optional<Lane> planned(
      DeadLetterFixture fixture, UUID plan, UUID id, UUID newId, String who) {
    return resend(fixture).resend(Optional.of(plan), id, newId, who, "x");
  }
}
