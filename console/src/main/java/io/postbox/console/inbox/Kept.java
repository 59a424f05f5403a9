package io.postbox.console.inbox;

import io.postbox.common.Page;
import io.postbox.console.api.LastEdit;
import io.postbox.console.api.PayloadView;
import io.postbox.console.http.Json;
import io.postbox.console.http.Listing;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.inbox.FailureGroup;
import io.postbox.inbox.FailureHistory;
import io.postbox.inbox.InboxAudit;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptMessages;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.QuarantinedMessages;
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
import java.util.function.Function;

/** The parked and the quarantined messages, and failures in groups. */
@Path("inbox")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE, MediaType.APPLICATION_OCTET_STREAM})
@RequestScoped
public class Kept {
  private static final String FAILURES = "inbox-failures";
  private static final String PARKED = "parked";
  private static final String QUARANTINED = "quarantined";
  private static final String NONE = "There is no such message any more.";

  @Inject ParkedMessages parked;
  @Inject QuarantinedMessages quarantined;
  @Inject FailureHistory history;
  @Inject InboxAudit trail;
  @Context UriInfo address;

  /** The failures in groups of one cause, by signature. */
  @GET
  @Path("failures")
  @Requires(Role.VIEWER)
  public Response failures() {
    Listing list = Listing.of(address, FAILURES);
    return list.fullPage(
            history.groups(list.after(), list.size()), FailureGroup::signature, InboxJson::group)
        .ok();
  }

  /** Parked messages, oldest first. */
  @GET
  @Path("parked")
  @Requires(Role.VIEWER)
  public Response listParked() {
    return list(parked, PARKED, KeptFilters.PARKED, InboxJson::parked);
  }

  /** One parked message, with its failures. */
  @GET
  @Path("parked/{id}")
  @Requires(Role.VIEWER)
  public Response oneParked(@PathParam("id") String id) {
    KeptMessage message = one(parked, id);
    return withFailures(InboxJson.parked(message), message)
        .putObject(
            "edited",
            LastEdit.of(
                trail,
                "inbox",
                message.keptAt(),
                subject -> subject.startsWith("parked message %s of ".formatted(message.id()))))
        .ok();
  }

  /** The payload of a parked message; the inbox records who has seen it. */
  @GET
  @Path("parked/{id}/payload")
  @Requires(Role.PAYLOAD)
  public Response parkedPayload(@PathParam("id") String id) {
    return payload(parked, PARKED, id);
  }

  /** Quarantined messages, oldest first. */
  @GET
  @Path("quarantined")
  @Requires(Role.VIEWER)
  public Response listQuarantined() {
    return list(quarantined, QUARANTINED, KeptFilters.QUARANTINED, InboxJson::quarantined);
  }

  /** One quarantined message, with the failures of its id. */
  @GET
  @Path("quarantined/{id}")
  @Requires(Role.VIEWER)
  public Response oneQuarantined(@PathParam("id") String id) {
    KeptMessage message = one(quarantined, id);
    return withFailures(InboxJson.quarantined(message), message).ok();
  }

  /** The payload of a quarantined message; the inbox records who has seen it. */
  @GET
  @Path("quarantined/{id}/payload")
  @Requires(Role.PAYLOAD)
  public Response quarantinedPayload(@PathParam("id") String id) {
    return payload(quarantined, QUARANTINED, id);
  }

  private Response list(
      KeptMessages messages, String name, String[] filters, Function<KeptMessage, Json> form) {
    Listing list = Listing.of(address, name, filters);
    List<KeptMessage> found =
        messages.find(KeptFilters.of(list.query()), Page.after(list.afterNumber(), list.oneMore()));
    return list.page(found, KeptMessage::id, form).ok();
  }

  private static KeptMessage one(KeptMessages messages, String id) {
    return messages.get(KeptFilters.id(id)).orElseThrow(() -> Problem.gone(NONE));
  }

  private Json withFailures(Json json, KeptMessage message) {
    return json.put(
        "failures",
        message.messageId().map(it -> history.of(message.consumer(), it)).orElse(List.of()),
        InboxJson::attempt);
  }

  private Response payload(KeptMessages messages, String kind, String id) {
    PayloadView view = PayloadView.of(address);
    return messages
        .payload(KeptFilters.id(id))
        .map(it -> view.answer(it, kind + "-" + KeptFilters.id(id)))
        .orElseThrow(() -> Problem.gone(NONE));
  }
}
