package io.postbox.console.api;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.AuditTrail;
import io.postbox.common.LookupPage;
import io.postbox.console.http.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Who edited a kept message last, as the audit has it: the message itself does not tell. */
public final class LastEdit {
  private LastEdit() {}

  /**
   * The last edit since the message was kept, however many others came after it.
   *
   * @param since when the message was kept
   * @param subject what the audit says of its edits
   */
  public static Optional<Json> of(
      AuditTrail trail, String module, Instant since, Predicate<String> subject) {
    AuditFilter edits = AuditFilter.all().module(module).action("edit").from(since);
    Optional<AuditEntry> found = Optional.empty();
    Optional<String> place = Optional.of("");
    while (found.isEmpty() && place.isPresent()) {
      LookupPage<AuditEntry> page = trail.find(edits, place.get(), LookupPage.LARGEST);
      found = page.items().stream().filter(entry -> subject.test(entry.subject())).findFirst();
      place = page.next();
    }
    return found.map(LastEdit::json);
  }

  private static Json json(AuditEntry entry) {
    return Json.object()
        .put("at", entry.at())
        .put("principal", entry.principal())
        .put("reason", entry.reason());
  }
}
