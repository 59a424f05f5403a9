package io.postbox.console.api;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.AuditTrail;
import io.postbox.common.LookupPage;
import io.postbox.console.http.Json;
import jakarta.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Who edited a kept message last, as the audit has it: the message itself does not tell. */
public final class LastEdit {
  private LastEdit() {}

  /**
   * The last edit, among the latest hundred of the module since the message was kept.
   *
   * @param since when the message was kept
   * @param subject what the audit says of its edits
   */
  public static Optional<JsonObject> of(
      AuditTrail trail, String module, Instant since, Predicate<String> subject) {
    return trail
        .find(AuditFilter.all().module(module).action("edit").from(since), "", LookupPage.LARGEST)
        .items()
        .stream()
        .filter(entry -> subject.test(entry.subject()))
        .findFirst()
        .map(LastEdit::json);
  }

  private static JsonObject json(AuditEntry entry) {
    return Json.object()
        .put("at", entry.at())
        .put("principal", entry.principal())
        .put("reason", entry.reason())
        .build();
  }
}
