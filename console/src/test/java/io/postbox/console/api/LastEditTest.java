package io.postbox.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.AuditTrail;
import io.postbox.common.LookupPage;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LastEditTest {
  private static final Instant NOW = Instant.parse("2026-11-23T22:00:00Z");

  private static AuditEntry edit(String subject, String principal) {
    return new AuditEntry(
        UUID.randomUUID(), NOW, "inbox", "shop", "edit", principal, "typo", subject, 1);
  }

  @Test
  void theLatestEditOfTheMessageIsTold() {
    AuditTrail trail =
        (filter, after, size) -> {
          assertThat(filter)
              .hasToString(AuditFilter.all().module("inbox").action("edit").from(NOW).toString());
          return new LookupPage<>(
              List.of(
                  edit("parked message 50 of 'a'", "ben"),
                  edit("parked message 5 of 'a'", "ada"),
                  edit("parked message 5 of 'a'", "eve")),
              Optional.empty(),
              Optional.empty());
        };

    assertThat(LastEdit.of(trail, "inbox", NOW, it -> it.startsWith("parked message 5 of ")))
        .hasValueSatisfying(
            edited ->
                assertThat(edited.build())
                    .hasToString(
                        "{\"at\":\"2026-11-23T22:00:00.000Z\",\"principal\":\"ada\",\"reason\":\"typo\"}"));
    assertThat(LastEdit.of(trail, "inbox", NOW, it -> it.startsWith("parked message 6 of ")))
        .isEmpty();
  }

  /** A page of the audit may have no item, and the search go on. */
  @Test
  void anEditIsFoundHoweverManyCameAfterIt() {
    AuditTrail trail =
        (filter, after, size) ->
            switch (after) {
              case "" -> new LookupPage<>(others(), Optional.of("2"), Optional.empty());
              case "2" -> new LookupPage<>(List.of(), Optional.of("3"), Optional.empty());
              default ->
                  new LookupPage<>(
                      List.of(edit("parked message 5 of 'a'", "ada")),
                      Optional.empty(),
                      Optional.empty());
            };

    assertThat(LastEdit.of(trail, "inbox", NOW, it -> it.startsWith("parked message 5 of ")))
        .map(edited -> edited.build().getString("principal"))
        .hasValue("ada");
  }

  private static List<AuditEntry> others() {
    return Collections.nCopies(100, edit("parked message 6 of 'a'", "ben"));
  }
}
