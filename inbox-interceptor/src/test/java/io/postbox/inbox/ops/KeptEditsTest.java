package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.common.Page;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeptEditsTest {

  private static KeptEdits edits(KeptFixture fixture) {
    return new KeptEdits(
        fixture.dialect(),
        fixture.config,
        fixture.dataSource,
        fixture.contents,
        (consumer, old, edit) ->
            new Content(
                old.type(),
                edit.text().orElse(old.text()),
                null,
                edit.properties().isEmpty() ? old.properties() : "{\"headers\":{}}"),
        content -> List.of("same"));
  }

  @ParameterizedTest
  @EnumSource
  void anEditOfTheContentBeforeAnothersEditIsRefused(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    KeptEdits edits = edits(fixture);
    KeptMessage message = fixture.parked.find(KeptFilter.all(), Page.first(1)).get(0);
    MessageEdit ofAda = MessageEdit.text("Ada's");
    MessageEdit ofBob = MessageEdit.text("Bob's");
    EditPreview<KeptMessage> bob = edits.preview(message, ofBob, "bob").orElseThrow();
    EditPreview<KeptMessage> ada = edits.preview(message, ofAda, "ada").orElseThrow();
    assertThat(edits.edit(ada.token().id(), ada.key(), message.id(), ofAda, "ada", "x")).isTrue();

    assertThatThrownBy(
            () -> edits.edit(bob.token().id(), bob.key(), message.id(), ofBob, "bob", "y"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was edited since");
    assertThat(fixture.column("SELECT payload_text FROM shop.pb_inbox_stored"))
        .containsExactly("Ada's");
    assertThat(fixture.column("SELECT principal FROM shop.pb_postbox_audit"))
        .containsExactly("ada");
    assertThat(edits.edit(message.id(), ofBob, "bob", "whatever it is now")).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void anEditOfPropertiesAloneIsAnotherContentToo(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    KeptEdits edits = edits(fixture);
    KeptMessage message = fixture.parked.find(KeptFilter.all(), Page.first(1)).get(0);
    MessageEdit planned = MessageEdit.text("Bob's");
    EditPreview<KeptMessage> preview = edits.preview(message, planned, "bob").orElseThrow();
    edits.edit(message.id(), MessageEdit.samePayload().properties(Map.of("a", 1)), "ada", "x");

    assertThatThrownBy(
            () ->
                edits.edit(preview.token().id(), preview.key(), message.id(), planned, "bob", "y"))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void oneWhoseCopyMayBeOnItsWayIsNotEdited(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.delay(TestDelivery.of("m-1"), Duration.ofMinutes(5));
    KeptMessage delayed = fixture.parked.get(1).orElseThrow();
    KeptEdits edits = edits(fixture);
    MessageEdit edit = MessageEdit.text("Ada's");

    assertThatThrownBy(() -> edits.preview(delayed, edit, "ada"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hold it first");
    assertThat(edits.edit(1, edit, "ada", "typo")).isFalse();
    assertThat(fixture.column("SELECT payload_text FROM shop.pb_inbox_stored"))
        .containsExactly("hello");
  }

  /** Every viewer reads the audit, and would find a short body by trying. */
  @ParameterizedTest
  @EnumSource
  void theRecordOfAnEditSaysNothingOfTheBody(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    KeptMessage message = fixture.parked.find(KeptFilter.all(), Page.first(1)).get(0);
    edits(fixture).edit(message.id(), MessageEdit.text("Ada's"), "ada", "x");

    assertThat(fixture.column("SELECT subject FROM shop.pb_postbox_audit"))
        .singleElement()
        .asString()
        .contains(message.messageId().orElseThrow())
        .doesNotContain(message.fingerprint());
  }

  /** The row has neither the change nor anything to try guesses of it with. */
  @ParameterizedTest
  @EnumSource
  void aPlannedEditIsCarriedOutOnceByItsOwnerOnAnyNode(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 2);
    KeptMessage message = fixture.parked.find(KeptFilter.all(), Page.first(2)).get(0);
    MessageEdit edit = MessageEdit.text("Ada's");
    EditPreview<KeptMessage> preview = edits(fixture).preview(message, edit, "ada").orElseThrow();
    UUID plan = preview.token().id();
    String key = preview.key();
    assertThat(fixture.column("SELECT plan FROM shop.pb_inbox_action"))
        .singleElement()
        .asString()
        .matches("edit [0-9a-f]{64}");

    refuses(Why.FOREIGN, () -> edits(fixture).edit(plan, key, message.id(), edit, "eve", "x"));
    refuses(
        Why.UNKNOWN,
        () -> edits(fixture).edit(plan, key, message.id(), MessageEdit.text("b"), "ada", "x"));
    refuses(Why.UNKNOWN, () -> edits(fixture).edit(plan, key, message.id() + 1, edit, "ada", "x"));
    refuses(
        Why.UNKNOWN, () -> edits(fixture).edit(plan, key + "0", message.id(), edit, "ada", "x"));
    assertThat(fixture.count("postbox_audit")).isZero();
    assertThat(edits(fixture).edit(plan, key, message.id(), edit, "ada", "x")).isTrue();
    refuses(Why.USED, () -> edits(fixture).edit(plan, key, message.id(), edit, "ada", "x"));
    assertThat(fixture.column("SELECT state || plan FROM shop.pb_inbox_action"))
        .containsExactly("DONE{}");
    assertThat(fixture.column("SELECT id FROM shop.pb_postbox_audit"))
        .containsExactly(plan.toString());

    EditPreview<KeptMessage> late = edits(fixture).preview(message, edit, "ada").orElseThrow();
    fixture.expire(late.token());
    refuses(
        Why.EXPIRED,
        () -> edits(fixture).edit(late.token().id(), late.key(), message.id(), edit, "ada", "x"));
  }

  private static void refuses(Why why, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            PlanRefusedException.class, refused -> assertThat(refused.why()).isEqualTo(why));
  }
}
