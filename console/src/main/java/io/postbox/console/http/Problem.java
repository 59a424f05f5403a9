package io.postbox.console.http;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why a request was refused or failed, after RFC 9457, in our own words: never an exception's.
 * Thrown, it ends the request.
 */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The media type. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final String TYPE = "urn:postbox:problem:";

  private final String slug;
  private final int status;
  private final String title;
  private final String detail;
  private final String wayOut;

  /**
   * @param slug the end of its type, {@code urn:postbox:problem:<slug>}
   * @param status the answer's
   * @param title the same for all problems of the type
   * @param detail the error in this request
   * @param wayOut the remedy
   */
  public Problem(String slug, int status, String title, String detail, String wayOut) {
    super(detail, null, false, false); // nobody reads the trace of a refusal
    this.slug = slug;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.wayOut = wayOut;
  }

  /** The console is not switched on; tells no more than that there is nothing. */
  public static Problem off() {
    return nothing(
        "Nothing answers here.",
        "If the console should: set postbox.console.enabled=true for this application.");
  }

  /** The server has asked nobody who they are. */
  public static Problem unauthenticated() {
    return new Problem(
        "not-logged-in",
        401,
        "Nobody is logged in",
        "The console answers only to people whom the server knows.",
        "Log in. If the server does not ask for that, its feature appSecurity is missing.");
  }

  /** Somebody lacks a role. */
  public static Problem forbidden(Role... roles) {
    return forbidden(Stream.of(roles).map(Role::roleName).collect(Collectors.joining(" or ")));
  }

  private static Problem forbidden(String role) {
    return new Problem(
        "role-missing",
        403,
        "A role is missing",
        "This needs the role " + role + ".",
        "Have the server map the role to you or to one of your groups:"
            + " https://github.com/postbox/postbox/blob/main/docs/console.md says where.");
  }

  /** A resource method that names no role. */
  public static Problem closed() {
    return new Problem(
        "closed",
        403,
        "Nobody may do this",
        "This part of the console names no role that may use it.",
        "Report it: it is a mistake in the console.");
  }

  /** A name that is not this server's: somebody may have pointed theirs here. */
  public static Problem otherHost() {
    return new Problem(
        "other-host",
        421,
        "The console does not answer to this name",
        "The request asks for a host that is not listed; nothing was changed.",
        "Use localhost or the server's address, or list the name in postbox.console.hosts.");
  }

  /** A page of another site has asked. */
  public static Problem otherSite() {
    return new Problem(
        "other-site",
        403,
        "Another site asked for this",
        "The request comes from a page of another site; nothing was changed.",
        "Use the console's own pages, or a script without the headers Origin and Sec-Fetch-Site.");
  }

  /** The header that a form of another site cannot set. */
  public static Problem headerMissing() {
    return new Problem(
        "header-missing",
        403,
        "A header is missing",
        "Requests that change something need the header X-Postbox: 1; nothing was changed.",
        "Send it.");
  }

  /** Too many actions. */
  public static Problem tooManyActions(int perMinute, long seconds) {
    return new Problem(
        "too-many-actions",
        429,
        "Too many actions",
        "One person may make %s plans and actions a minute; nothing was changed."
            .formatted(perMinute),
        "Try again in %s s, with a wider filter instead of many requests.".formatted(seconds));
  }

  /** Too many searches of one person. */
  static Problem tooManyReads() {
    return new Problem(
        "too-many-reads",
        429,
        "Your searches take up your share",
        "%s of your requests are being answered, and each may hold a connection to the database."
            .formatted(Reads.MOST_OF_ONE),
        "Wait for those, close other tabs, or search for less.");
  }

  /** Too many searches of all. */
  static Problem busy() {
    return new Problem(
        "busy",
        503,
        "The console is busy",
        "%s requests of others are being answered, which is all that this node gives the console."
            .formatted(Reads.MOST),
        "Try again in a few seconds.");
  }

  /** A search that the database has cancelled. */
  static Problem tooSlow() {
    return new Problem(
        "too-slow",
        503,
        "The search took too long",
        "The database was asked for ten seconds, and has not found all of it.",
        "Search for less: by an id, a destination or consumer, a signature or a time, and with a"
            + " smaller page.");
  }

  /** The body is too large. */
  public static Problem tooLarge(int limit) {
    return new Problem(
        "too-large",
        413,
        "The request is too large",
        "The body of this request may have %s bytes; nothing was changed.".formatted(limit),
        "Send less.");
  }

  /** The body is no JSON. */
  public static Problem notJson() {
    return new Problem(
        "not-json",
        400,
        "The request cannot be read",
        "The body is no JSON object in UTF-8, or names a field twice; nothing was changed.",
        "Send a JSON object.");
  }

  /** A value cannot be used. */
  public static Problem invalid(String detail, String wayOut) {
    return new Problem("invalid", 400, "A value cannot be used", detail, wayOut);
  }

  /** A module has refused values for a reason of its own. */
  public static Problem unusable() {
    return new Problem(
        "unusable",
        400,
        "The values cannot be used together",
        "The module does not take these values: error texts that are encrypted cannot be searched,"
            + " nor can pending messages without their destination or id. Nothing was changed.",
        "Leave a filter out, use signature in place of error, or name a destination.");
  }

  /** There is nothing at an address. */
  public static Problem nothing(String detail, String wayOut) {
    return new Problem("not-found", 404, "There is nothing at this address", detail, wayOut);
  }

  /** There is no such row. */
  public static Problem gone(String what) {
    return nothing(
        what, "It may have been handled, redriven or discarded since: look for it in the list.");
  }

  /** The application has only the other module. */
  public static Problem noModule(String module) {
    return new Problem(
        "no-" + module,
        404,
        "No " + module,
        "There is no " + module + " in this application.",
        "Use the console of the application that has it.");
  }

  /** Something does not fit the present state. */
  public static Problem conflict(String slug, String title, String detail, String wayOut) {
    return new Problem(slug, 409, title, detail, wayOut);
  }

  /** No more actions are started. */
  public static Problem tooManyUnfinished(String consequence, String wayOut) {
    return conflict(
        "too-many-unfinished",
        "Too many actions are unfinished",
        "Too many actions wait or run: " + consequence,
        wayOut);
  }

  /** The tables cannot be used. */
  public static Problem unavailable(UUID incident) {
    return new Problem(
        "unavailable",
        503,
        "The tables cannot be used",
        "The module could not do this. If it was an action, a part of it may be done: the audit"
            + " says how much.",
        "The server's log has more, under incident " + incident + ".");
  }

  /** Something unforeseen. */
  public static Problem unexpected(UUID incident) {
    return new Problem(
        "unexpected",
        500,
        "The request failed",
        "Whether it took effect is not known.",
        "The server's log has more, under incident " + incident + ".");
  }

  /**
   * The problem of a request that the server has refused by itself.
   *
   * @param status the answer's
   */
  public static Problem ofStatus(int status) {
    return switch (status) {
      case 400 ->
          invalid(
              "The server does not understand this request.",
              "https://github.com/postbox/postbox/blob/main/docs/console.md has the API.");
      case 401 -> unauthenticated();
      case 403 ->
          forbidden(
              "postbox-viewer, postbox-operator, postbox-payload, postbox-editor or"
                  + " postbox-eraser");
      case 404 ->
          nothing(
              "The API has nothing at this address.",
              "https://github.com/postbox/postbox/blob/main/docs/console.md lists the addresses;"
                  + " api/overview is the first.");
      case 405 ->
          new Problem(
              "method",
              405,
              "This address does not take this method",
              "The header Allow says which methods it takes.",
              "Use one of them.");
      case 406 ->
          new Problem(
              "not-acceptable",
              406,
              "The answer has another form",
              "The API answers in JSON.",
              "Send Accept: application/json.");
      case 413 ->
          new Problem(
              "too-large", 413, "The request is too large", "The body is too long.", "Send less.");
      case 415 ->
          new Problem(
              "media-type",
              415,
              "The request has another form",
              "The API reads JSON; nothing was changed.",
              "Send it with Content-Type: application/json.");
      default ->
          status < 500
              ? new Problem(
                  "refused",
                  status,
                  "The request was refused",
                  "The server does not take this request.",
                  "https://github.com/postbox/postbox/blob/main/docs/console.md has the API.")
              : new Problem(
                  "unexpected",
                  status,
                  "The request failed",
                  "Whether it took effect is not known.",
                  "The server's log has more.");
    };
  }

  /** As it is sent. */
  public JsonObject json() {
    return Json.createObjectBuilder()
        .add("type", TYPE + slug)
        .add("title", title)
        .add("status", status)
        .add("detail", detail)
        .add("wayOut", wayOut)
        .build();
  }

  /** The answer. */
  public Response response() {
    return Response.status(status).type(MEDIA_TYPE).entity(json().toString()).build();
  }

  String slug() {
    return slug;
  }

  int status() {
    return status;
  }

  String detail() {
    return detail;
  }

  String wayOut() {
    return wayOut;
  }
}
