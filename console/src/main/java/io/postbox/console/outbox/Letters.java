package io.postbox.console.outbox;

import io.postbox.common.Page;
import io.postbox.console.http.Json;
import io.postbox.console.http.Listing;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.FailureGroup;
import io.postbox.outbox.FailureHistory;
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

/** The outbox's dead letters and failures. */
@Path("outbox")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class Letters {
  private static final String FAILURES = "outbox-failures";
  private static final String LETTERS = "dead-letters";

  @Inject FailureHistory history;
  @Inject DeadLetters letters;
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
    return list.page(found, DeadLetter::seq, each -> OutboxJson.letter(each).build()).ok();
  }

  /** One dead letter, with its failures. */
  @GET
  @Path("dead-letters/{id}")
  @Requires(Role.VIEWER)
  public Response one(@PathParam("id") String id) {
    UUID known = LetterFilters.id(id);
    DeadLetter letter =
        letters
            .get(known)
            .orElseThrow(() -> Problem.gone("There is no dead letter with this id.").exception());
    return OutboxJson.letter(letter)
        .put("failures", Json.array(history.of(known), OutboxJson::attempt))
        .ok();
  }
}
