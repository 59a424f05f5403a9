package io.postbox.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves the console's pages with the headers of the real one, and an API with canned answers. An
 * action that was started makes progress whenever somebody looks.
 */
final class ConsoleStub implements AutoCloseable {
  static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final String ROOT = "/postbox/";
  private static final int PAGE = 10;
  private static final List<String> SINGLE = List.of("cancel", "resend", "resend-as");

  /** The id that a changed message has. */
  static final String CHANGED = "38b3eff8-baf5-7627-878e-c76a704e9b52";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private final Path pages;
  private final Canned canned;
  private final HttpServer server;
  private final ExecutorService workers = Executors.newFixedThreadPool(4);
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Map<String, Answer> instead = new ConcurrentHashMap<>();
  private final Map<String, Action> started = new ConcurrentHashMap<>();
  private final AtomicInteger overviews = new AtomicInteger();

  /** An answer of the API. */
  record Answer(int status, String type, String body) {
    static Answer json(JsonValue value) {
      return new Answer(200, "application/json", value.toString());
    }

    static Answer problem(int status, String title, String detail, String wayOut) {
      JsonObject problem =
          Json.createObjectBuilder()
              .add("type", "urn:postbox:problem:test")
              .add("title", title)
              .add("status", status)
              .add("detail", detail)
              .add("wayOut", wayOut)
              .build();
      return new Answer(status, "application/problem+json", problem.toString());
    }
  }

  private record Action(String kind, String reason, int total, int done) {}

  ConsoleStub(boolean hostile) {
    pages = console().resolve("src/main/webapp");
    canned = new Canned(hostile);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
    server.setExecutor(workers);
    server.createContext(ROOT, this::serve);
    server.start();
  }

  /** The console's table of names, and of how they are written as parts of paths. */
  static List<JsonObject> namesInPaths() throws IOException {
    Path table = console().resolve("src/test/resources/names-in-paths.json");
    try (JsonReader names = Json.createReader(Files.newBufferedReader(table))) {
      return names.readArray().getValuesAs(JsonObject.class);
    }
  }

  private static Path console() {
    return Path.of(System.getProperty("postbox.console", "../../console"));
  }

  URI base() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + ROOT);
  }

  /** The requests to the API: method, path, query. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  /** From now on this is the answer to a path below the API. */
  void answer(String path, Answer answer) {
    instead.put(path, answer);
  }

  /** From now on the API has nothing: empty lists and zeros. */
  void empty() {
    JsonObject none = Json.createObjectBuilder().add("items", JsonArray.EMPTY_JSON_ARRAY).build();
    for (String path :
        List.of(
            "destinations",
            "consumers",
            "outbox/failures",
            "inbox/failures",
            "outbox/dead-letters",
            "outbox/archive",
            "inbox/parked",
            "inbox/quarantined",
            "inbox/gaps",
            "actions",
            "messages",
            "audit",
            "findings",
            "configuration")) {
      answer(path, Answer.json(none));
    }
    answer(
        "nodes",
        Answer.json(
            Json.createObjectBuilder()
                .add("outbox", JsonArray.EMPTY_JSON_ARRAY)
                .add("inbox", JsonArray.EMPTY_JSON_ARRAY)
                .build()));
    answer(
        "overview",
        Answer.json(
            Json.createObjectBuilder(canned.object("overview"))
                .add("concerns", JsonArray.EMPTY_JSON_ARRAY)
                .build()));
  }

  /** From now on the person has these roles. */
  void roles(String... roles) {
    answer(
        "overview",
        Answer.json(
            Json.createObjectBuilder(canned.object("overview"))
                .add("roles", Json.createArrayBuilder(Arrays.asList(roles)))
                .build()));
  }

  @Override
  public void close() {
    server.stop(0);
    workers.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getRawPath().substring(ROOT.length());
      exchange.getResponseHeaders().set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      byte[] body;
      if (path.startsWith("api/")) {
        Answer answer = api(exchange, path.substring("api/".length()));
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      } else {
        Path file = file(path.isEmpty() ? "index.html" : path);
        body = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        String name = file.getFileName().toString();
        exchange
            .getResponseHeaders()
            .set("Content-Type", TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), ""));
        exchange.sendResponseHeaders(
            body.length == 0 ? 404 : 200, body.length == 0 ? -1 : body.length);
      }
      exchange.getResponseBody().write(body);
    }
  }

  private Path file(String path) {
    Path file = pages.resolve(path).normalize();
    return file.startsWith(pages) ? file : pages.resolve("none");
  }

  private Answer api(HttpExchange exchange, String path) throws IOException {
    String method = exchange.getRequestMethod();
    Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
    requests.add(method + " " + exchange.getRequestURI());
    Answer other = instead.get(path);
    if (other != null) {
      return other;
    }
    if (method.equals("GET")) {
      return get(path.split("/"), query);
    }
    if (!"1".equals(exchange.getRequestHeaders().getFirst("X-Postbox"))) {
      return Answer.problem(403, "Refused", "The header X-Postbox is missing.", "Send it.");
    }
    return change(path.split("/"), body(exchange));
  }

  private static JsonObject body(HttpExchange exchange) throws IOException {
    try (InputStream body = new ByteArrayInputStream(exchange.getRequestBody().readAllBytes());
        JsonReader reader = Json.createReader(body)) {
      return reader.readObject();
    }
  }

  private Answer get(String[] parts, Map<String, String> query) {
    String module = parts[0];
    String last = parts[parts.length - 1];
    if (last.equals("payload")) {
      return Answer.json(canned.object("payload"));
    }
    return switch (module) {
      case "overview" -> Answer.json(overview(query.containsKey("since")));
      case "outbox" ->
          parts[1].equals("failures")
              ? Answer.json(canned.object("outbox-failures"))
              : parts[1].equals("archive")
                  ? Answer.json(canned.object("archive"))
                  : kept("dead-letters", "dead-letter-attempts", parts, query);
      case "inbox" ->
          parts[1].equals("failures")
              ? Answer.json(canned.object("inbox-failures"))
              : kept(parts[1], "parked-attempts", parts, query);
      case "messages" ->
          Answer.json(
              canned.object(
                  parts.length == 1
                      ? "messages"
                      : parts[1].equals(Routes.PARKED) ? "life-parked" : "life"));
      case "actions" -> parts.length > 1 ? action(parts[1]) : Answer.json(actions());
      default -> Answer.json(canned.object(module));
    };
  }

  /** Numbers that move, so that a chart has something to show. */
  private JsonObject overview(boolean hasAsked) {
    int call = overviews.getAndIncrement();
    JsonObject overview = canned.object("overview");
    JsonObject outbox = overview.getJsonObject("outbox");
    JsonObject inbox = overview.getJsonObject("inbox");
    JsonObjectBuilder moved = Json.createObjectBuilder(outbox);
    moved.add("pending", Math.round(1284 + 420 * Math.sin(call / 6.0) + 6.0 * call));
    moved.add("oldestPendingSeconds", 318.4 + 5 * call);
    moved.add("relayed", outbox.getInt("relayed") + 190L * call + 60L * (call % 3));
    JsonObjectBuilder handled = Json.createObjectBuilder(inbox);
    handled.add("processed", inbox.getInt("processed") + 160L * call + 30L * (call % 4));
    handled.add("failures", inbox.getInt("failures") + 3L * call);
    return Json.createObjectBuilder(overview)
        .add("outbox", moved)
        .add("inbox", handled)
        .add("history", hasAsked ? JsonArray.EMPTY_JSON_ARRAY : lastHour())
        .build();
  }

  /** A row a minute. 20 minutes ago another node took over, after the backlog had been high. */
  private static JsonArray lastHour() {
    JsonArrayBuilder rows = Json.createArrayBuilder();
    for (int minute = 59; minute > 0; minute--) {
      boolean isBefore = minute > 20;
      rows.add(
          Json.createObjectBuilder()
              .add("now", Canned.time(-60L * minute))
              .add("node", isBefore ? "gone" : "alive")
              .add(
                  "outbox",
                  Json.createObjectBuilder()
                      .add("pending", isBefore ? 100L * minute : 1_300)
                      .add("relayed", 30L * 60 * (60 - minute) + (isBefore ? 0 : 1_000_000))));
    }
    return rows.build();
  }

  /** A page of a list, or one of it with its attempts. */
  private Answer kept(String name, String attempts, String[] parts, Map<String, String> query) {
    JsonArray all = canned.object(name).getJsonArray("items");
    if (parts.length > 2) {
      return all.stream()
          .map(JsonValue::asJsonObject)
          .filter(it -> text(it, "id").equals(parts[2]))
          .findFirst()
          .map(it -> Answer.json(with(it, attempts)))
          .orElseGet(
              () ->
                  Answer.problem(
                      404,
                      "It is not there any more",
                      "Nothing is kept under this id.",
                      "Look at its life, or at the audit."));
    }
    List<JsonObject> found =
        all.stream().map(JsonValue::asJsonObject).filter(it -> matches(it, query)).toList();
    int from = Integer.parseInt(query.getOrDefault("after", "0"));
    int to = Math.min(found.size(), from + PAGE);
    JsonObjectBuilder page = Json.createObjectBuilder();
    page.add("items", Json.createArrayBuilder(found.subList(from, to)));
    if (to < found.size()) {
      page.add("next", String.valueOf(to));
    }
    return Answer.json(page.build());
  }

  private JsonObject with(JsonObject message, String attempts) {
    return Json.createObjectBuilder(message).add("failures", canned.list(attempts)).build();
  }

  private static boolean matches(JsonObject message, Map<String, String> query) {
    return query.entrySet().stream()
        .filter(it -> message.containsKey(it.getKey()))
        .allMatch(it -> text(message, it.getKey()).equals(it.getValue()));
  }

  private static String text(JsonObject object, String name) {
    JsonValue value = object.get(name);
    return value.getValueType() == JsonValue.ValueType.STRING
        ? object.getString(name)
        : value.toString();
  }

  private Answer change(String[] parts, JsonObject body) {
    if (parts.length > 1 && parts[1].equals("edits")) {
      boolean isSentAgain = body.containsKey("id") && body.containsKey("text");
      return parts.length == 2
          ? planned("edit-plan")
          : isSentAgain ? changed() : new Answer(400, "application/json", "{}");
    }
    if (SINGLE.contains(body.getString("action", ""))) {
      return planned("single-plan");
    }
    if (parts[0].equals("plans") && parts[1].equals(canned.object("single-plan").getString("id"))) {
      return changed();
    }
    if (parts[parts.length - 1].equals("plans")) {
      JsonObject plan = canned.object(parts[0] + "-plan");
      return new Answer(201, "application/json", plan.toString());
    }
    if (parts[0].equals("plans")) {
      String id = "b-" + (started.size() + 1);
      started.put(id, new Action("redrive-dead-letters", body.getString("reason"), 20, 0));
      JsonObject answer = Json.createObjectBuilder().add("action", id).build();
      return new Answer(202, "application/json", answer.toString());
    }
    return Answer.json(Json.createObjectBuilder().add("changed", true).build());
  }

  private Answer planned(String name) {
    return new Answer(201, "application/json", canned.object(name).toString());
  }

  private Answer changed() {
    return Answer.json(
        Json.createObjectBuilder().add("changed", true).add("message", CHANGED).build());
  }

  private Answer action(String id) {
    Action found =
        started.computeIfPresent(
            id,
            (key, it) ->
                new Action(
                    it.kind(), it.reason(), it.total(), Math.min(it.total(), it.done() + 4)));
    Optional<JsonObject> one =
        found != null
            ? Optional.of(json(id, found))
            : canned.items("actions").stream()
                .map(JsonValue::asJsonObject)
                .filter(it -> it.getString("id").equals(id))
                .findFirst();
    return one.map(Answer::json)
        .orElseGet(() -> Answer.problem(404, "No such action", "It is gone.", "See all actions."));
  }

  private JsonObject actions() {
    JsonArrayBuilder items = Json.createArrayBuilder();
    started.forEach((id, it) -> items.add(json(id, it)));
    canned.items("actions").forEach(items::add);
    return Json.createObjectBuilder().add("items", items).build();
  }

  private static JsonObject json(String id, Action action) {
    return Json.createObjectBuilder()
        .add("id", id)
        .add("kind", action.kind())
        .add("state", action.done() < action.total() ? "RUNNING" : "DONE")
        .add("principal", "anna")
        .add("reason", action.reason())
        .add("startedAt", Canned.time(-3))
        .add("changedAt", Canned.time(0))
        .add("total", action.total())
        .add("done", action.done())
        .build();
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new HashMap<>();
    for (String pair : raw == null ? new String[0] : raw.split("&")) {
      String[] parts = pair.split("=", 2);
      query.put(decoded(parts[0]), parts.length > 1 ? decoded(parts[1]) : "");
    }
    return query;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
