package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Page;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.ParkedEdit;
import io.postbox.inbox.ParkedMessage;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeptEditsTest {

  private static KeptEdits edits(KeptFixture fixture) {
    return new KeptEdits(
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
    ParkedMessage message = fixture.parked.find(KeptFilter.all(), Page.first(1)).get(0);
    ParkedEdit ofAda = ParkedEdit.text("Ada's");
    ParkedEdit ofBob = ParkedEdit.text("Bob's");
    ParkedEdit ofBoth = ofBob.of(edits.preview(message, ofBob).orElseThrow());
    assertThat(
            edits.edit(
                message.id(), ofAda.of(edits.preview(message, ofAda).orElseThrow()), "ada", "x"))
        .isTrue();

    assertThatThrownBy(() -> edits.edit(message.id(), ofBoth, "bob", "y"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was edited since");
    assertThat(fixture.column("SELECT payload_text FROM shop.pb_inbox_parked"))
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
    ParkedMessage message = fixture.parked.find(KeptFilter.all(), Page.first(1)).get(0);
    ParkedEdit planned = ParkedEdit.text("Bob's");
    ParkedEdit ofPreview = planned.of(edits.preview(message, planned).orElseThrow());
    edits.edit(message.id(), ParkedEdit.samePayload().properties(Map.of("a", 1)), "ada", "x");

    assertThatThrownBy(() -> edits.edit(message.id(), ofPreview, "bob", "y"))
        .isInstanceOf(IllegalStateException.class);
  }

  /** Every viewer reads the audit, and would find a short body by trying. */
  @ParameterizedTest
  @EnumSource
  void theRecordOfAnEditSaysNothingOfTheBody(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    ParkedMessage message = fixture.parked.find(KeptFilter.all(), Page.first(1)).get(0);
    edits(fixture).edit(message.id(), ParkedEdit.text("Ada's"), "ada", "x");

    assertThat(fixture.column("SELECT subject FROM shop.pb_postbox_audit"))
        .singleElement()
        .asString()
        .contains(message.messageId())
        .doesNotContain(message.fingerprint());
  }
}
