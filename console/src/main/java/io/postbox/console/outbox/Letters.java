package io.postbox.console.outbox;

import io.postbox.common.LookupPage;
import io.postbox.common.Page;
import io.postbox.console.api.LastEdit;
import io.postbox.console.api.PayloadView;
import io.postbox.console.http.Json;
import io.postbox.console.http.Listing;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.FailureGroup;
import io.postbox.outbox.FailureHistory;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.HeldOrderingKey;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.OutboxAudit;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.UUID;

/** The outbox's dead letters, its archive, and failures. */
@Path("outbox")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE, MediaType.APPLICATION_OCTET_STREAM})
@RequestScoped
public class Letters {
  private static final String FAILURES = "outbox-failures";
  private static final String LETTERS = "dead-letters";
  private static final String ARCHIVE = "archive";
  private static final String NONE = "There is no dead letter with this id.";

  @Inject FailureHistory history;
  @Inject DeadLetters letters;
  @Inject MessageLookup lookup;
  @Inject OutboxAudit trail;
  @Context UriInfo address;

  /** The failures in groups of one cause, by signature. */
  @GET
  @Path("failures")
  @Requires(Role.VIEWER)
  public Response failures() {
    Listing list = Listing.of(address, FAILURES);
    return list.fullPage(
            history.groups(list.after(), list.size()), FailureGroup::signature, OutboxJson::group)
        .ok();
  }

  /** Dead letters, in the order in which they were enqueued. */
  @GET
  @Path("dead-letters")
  @Requires(Role.VIEWER)
  public Response list() {
    Listing list = Listing.of(address, LETTERS, LetterFilters.NAMES);
    List<DeadLetter> found =
        letters.find(
            LetterFilters.of(list.query()), Page.after(list.afterNumber(), list.oneMore()));
    return list.page(found, DeadLetter::seq, OutboxJson::letter).ok();
  }

  /** One dead letter, with its failures and how many messages wait behind it. */
  @GET
  @Path("dead-letters/{id}")
  @Requires(Role.VIEWER)
  public Response one(@PathParam("id") String id) {
    UUID known = LetterFilters.id(id);
    DeadLetter letter = letters.get(known).orElseThrow(() -> Problem.gone(NONE));
    Json json =
        OutboxJson.letter(letter)
            .put("failures", history.of(known), OutboxJson::attempt)
            .putObject(
                "edited",
                LastEdit.of(
                    trail,
                    "outbox",
                    letter.enqueuedAt(),
                    subject -> subject.contains(" as %s: ".formatted(known))));
    lookup
        .life(known)
        .heldKey()
        .filter(key -> key.head().equals(known))
        .ifPresent(
            key ->
                json.put("followers", key.waiting())
                    .put("more", key.waiting() >= HeldOrderingKey.MOST_COUNTED));
    return json.ok();
  }

  /** The payload of a dead letter; the outbox records who has seen it. */
  @GET
  @Path("dead-letters/{id}/payload")
  @Requires(Role.PAYLOAD)
  public Response payload(@PathParam("id") String id) {
    PayloadView view = PayloadView.of(address);
    UUID known = LetterFilters.id(id);
    return letters
        .payload(known)
        .map(it -> view.answer(it, "dead-letter-" + known))
        .orElseThrow(() -> Problem.gone(NONE));
  }

  /** The messages that have left the outbox and are in its archive, the last one first. */
  @GET
  @Path("archive")
  @Requires(Role.VIEWER)
  public Response archive() {
    Listing list = Listing.of(address, ARCHIVE, LetterFilters.ARCHIVE);
    LookupPage<FoundMessage> page =
        lookup.find(LetterFilters.archive(list.query()), list.after(), list.size());
    List<FoundMessage> ended = page.items().stream().filter(FoundMessage::archived).toList();
    return list.page(new LookupPage<>(ended, page.next(), page.note()), OutboxJson::found).ok();
  }
}
