package io.postbox.it.console;

import static io.postbox.it.tools.Eventually.eventually;
import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every endpoint of the console, by every role, and whatever it has to refuse. The table is {@code
 * endpoints.txt}, which a test of the console compares with its resource methods.
 */
abstract class ConsoleTests {
  private static final int ACTIONS = 300;
  private static final List<String> ROLES =
      List.of("viewer", "operator", "payload", "editor", "eraser");
  private static final String HOSTILE = "<script>alert('x')</script>\"\\u2028'; DROP";

  /** Matches only an exception's text, or a page of the server. */
  private static final Pattern INSIDE =
      Pattern.compile("Exception|\\bat [a-z]+\\.[a-z.]+\\(|java\\.|SRVE|CWW|<html|SQL");

  private final TestApplication application = TestApplication.of(getClass());
  private UUID letter = UUID.randomUUID();
  private String parked = "";
  private String quarantined = "";

  /**
   * A line of the table.
   *
   * @param roles the roles that may, with slashes between them
   */
  private record Endpoint(String method, String path, String roles) {
    String role() {
      return roles.split("/")[0];
    }

    boolean isAllowed(String user) {
      return List.of(roles.split("/")).contains(user)
          || (roles.equals("viewer") && ROLES.contains(user));
    }

    boolean changes() {
      return !method.equals("GET");
    }
  }

  static EnterpriseArchive application(TestApplication it) {
    return Archives.earWithConsole(
        it.test(),
        it.service(),
        Archives.settings(
            it,
            "postbox.outbox.relay.enabled",
            "false",
            "postbox.outbox.destination.slow.max-attempts",
            "7",
            "postbox.console.enabled",
            "true",
            "postbox.console.hosts",
            "console.example, Ops.example",
            "postbox.console.actions-per-minute",
            String.valueOf(ACTIONS)));
  }

  @BeforeEach
  void thereIsOneMessageOfEachKind() {
    Database database = application.database();
    String prefix = application.prefix();
    for (String table :
        List.of(
            "outbox_message",
            "outbox_switch",
            "inbox_switch",
            "outbox_policy",
            "inbox_policy",
            "outbox_failure",
            "outbox_archive",
            "inbox_stored",
            "postbox_audit")) {
      database.run("DELETE FROM " + prefix + table);
    }
    letter = deadLetter("shipping");
    byte[] fingerprint = park("shipping", "m-1");
    database.run(
        "INSERT INTO "
            + prefix
            + "inbox_stored (consumer, status, captured, reason, fingerprint, fingerprint_version,"
            + " precedence, headers, size, body_type, payload_text, properties, kept_at) VALUES"
            + " ('shipping', 'QUARANTINED', FALSE, 'MISSING_ID', ?, 1, 5, '{}', 1, 'TEXT', 'x',"
            + " '{}', CURRENT_TIMESTAMP)",
        fingerprint);
    parked = database.value(kept("id", "PARKED"));
    quarantined = database.value(kept("id", "QUARANTINED"));
  }

  private String kept(String column, String status) {
    return "SELECT %s FROM %sinbox_stored WHERE status = '%s'"
        .formatted(column, application.prefix(), status);
  }

  private byte[] park(String consumer, String messageId) {
    byte[] fingerprint = letter.toString().substring(0, 32).getBytes(StandardCharsets.US_ASCII);
    application
        .database()
        .run(
            "INSERT INTO "
                + application.prefix()
                + "inbox_stored (consumer, message_id, status, captured, reason, error, signature,"
                + " attempts, fingerprint, fingerprint_version, precedence, headers, size,"
                + " body_type, payload_text, properties, reply_to, kept_at) VALUES (?, ?, 'PARKED',"
                + " FALSE, 'REJECTED', ?, '5ef0', 1, ?, 1, 5, '{}', 29, 'TEXT', ?, '{}',"
                + " 'queue:REPLIES', CURRENT_TIMESTAMP)",
            consumer,
            messageId,
            HOSTILE,
            fingerprint,
            "{\"card\":\"4111\",\"who\":\"Ada\"}");
    return fingerprint;
  }

  private UUID deadLetter(String destination) {
    UUID id = UUID.randomUUID();
    application
        .database()
        .run(
            "INSERT INTO "
                + application.prefix()
                + "outbox_message (partition_no, id, destination, content_type, payload_text,"
                + " headers, status, attempts, last_error)"
                + " VALUES (3, ?, ?, 'text/plain', 'x', '{}', 'DEAD', 10, ?)",
            id,
            destination,
            HOSTILE);
    return id;
  }

  private String root() {
    return "http://localhost:"
        + Names.variable("http.port")
        + "/"
        + application.service()
        + "-console/";
  }

  private Browser as(String user) {
    return Browser.of(user, root());
  }

  private static List<Endpoint> endpoints() {
    try (BufferedReader table =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(ConsoleTests.class.getResourceAsStream("/endpoints.txt")),
                StandardCharsets.UTF_8))) {
      return table
          .lines()
          .map(line -> line.split(" "))
          .map(parts -> new Endpoint(parts[0], parts[1], parts[2]))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String path(Endpoint endpoint) {
    return "api/"
        + endpoint
            .path()
            .replace("{name}", "shipping")
            .replace("dead-letters/{id}", "dead-letters/" + letter)
            .replace("parked/{id}", "parked/" + parked)
            .replace("quarantined/{id}", "quarantined/" + quarantined)
            .replace("messages/{id}", "messages/" + letter)
            .replace("{id}", UUID.randomUUID().toString());
  }

  private String body(Endpoint endpoint) {
    return switch (endpoint.path()) {
      case "outbox/plans" -> "{\"action\":\"redrive\",\"filter\":{\"destination\":\"shipping\"}}";
      case "outbox/edits" -> "{\"id\":\"%s\",\"text\":\"mended\"}".formatted(letter);
      case "erasures/plans" -> "{\"aggregateType\":\"Order\",\"aggregateId\":\"17\"}";
      case "inbox/edits" -> "{\"id\":\"%s\",\"text\":\"mended\"}".formatted(parked);
      case "inbox/gap-plans" -> "{\"action\":\"skip\",\"filter\":{}}";
      case "inbox/plans" -> "{\"kind\":\"parked\",\"action\":\"discard\",\"filter\":{}}";
      case "destinations/{name}/redirect" ->
          endpoint.method().equals("POST")
              ? "{\"target\":\"slow\",\"plan\":\"none\",\"reason\":\"moved\"}"
              : "{\"reason\":\"moved\"}";
      case "destinations/{name}/policy", "consumers/{name}/policy" ->
          endpoint.method().equals("PUT")
              ? "{\"maxAttempts\":3,\"reason\":\"moved\"}"
              : "{\"reason\":\"moved\"}";
      default -> "{\"reason\":\"moved\"}";
    };
  }

  private HttpResponse<String> ask(Browser who, Endpoint endpoint) {
    return endpoint.changes()
        ? who.send(endpoint.method(), path(endpoint), body(endpoint))
        : who.get(path(endpoint));
  }

  private static JsonObject json(HttpResponse<String> answer) {
    try (var reader = Json.createReader(new StringReader(answer.body()))) {
      return reader.readObject();
    }
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("none");
  }

  /** Checks the headers that every answer of the console has, for any user and request. */
  private static void isSafe(Deviations deviations, String what, HttpResponse<String> answer) {
    deviations.holds(
        what,
        header(answer, "Content-Security-Policy")
            .startsWith("default-src 'none'; script-src 'self';"),
        header(answer, "Content-Security-Policy"));
    deviations.same(what, header(answer, "X-Content-Type-Options"), "nosniff");
    deviations.same(what, header(answer, "Referrer-Policy"), "no-referrer");
    deviations.holds(
        what,
        header(answer, "Cache-Control").contains("no-store"),
        header(answer, "Cache-Control"));
    if (answer.statusCode() >= 400) {
      isProblem(deviations, what, answer);
    }
  }

  private static void isProblem(Deviations deviations, String what, HttpResponse<String> answer) {
    deviations.holds(
        what, header(answer, "Content-Type").startsWith("application/problem+json"), answer.body());
    deviations.holds(what, !INSIDE.matcher(answer.body()).find(), answer.body());
    if (header(answer, "Content-Type").startsWith("application/problem+json")) {
      JsonObject problem = json(answer);
      deviations.same(what, problem.getInt("status"), answer.statusCode());
      deviations.holds(what, problem.getString("type").startsWith("urn:postbox:problem:"), problem);
      deviations.holds(what, !problem.getString("wayOut").isBlank(), problem);
    }
  }

  private static String slug(HttpResponse<String> answer) {
    return json(answer).getString("type").replace("urn:postbox:problem:", "");
  }

  private long rows(String table) {
    return application.database().count(application.prefix() + table);
  }

  @Test
  void everyEndpointAnswersItsRolesAlone() {
    Deviations deviations = new Deviations();
    for (Endpoint endpoint : endpoints()) {
      HttpResponse<String> strangers = ask(Browser.ofNobody(root()), endpoint);
      deviations.same(endpoint + " by nobody", strangers.statusCode(), 401);
      isSafe(deviations, endpoint + " by nobody", strangers);
      HttpResponse<String> others = ask(as("ada"), endpoint);
      deviations.same(endpoint + " without a role", others.statusCode(), 403);
      isSafe(deviations, endpoint + " without a role", others);
      for (String user : ROLES) {
        HttpResponse<String> answer = ask(as(user), endpoint);
        String what = "%s by %s: %s".formatted(endpoint, user, answer.body());
        isSafe(deviations, what, answer);
        if (!endpoint.isAllowed(user)) {
          deviations.same(what, answer.statusCode(), 403);
          deviations.same(what, slug(answer), "role-missing");
        } else if (needsAPlan(endpoint)) {
          deviations.same(what, slug(answer), "plan-refused");
        } else if (endpoint.path().startsWith("actions/")
            || endpoint.path().equals("erasures/{id}")) {
          deviations.same(what, slug(answer), "not-found");
        } else {
          deviations.holds(
              what, Set.of(200, 201).contains(answer.statusCode()), answer.statusCode());
        }
      }
    }
    deviations.check();
  }

  private static boolean needsAPlan(Endpoint endpoint) {
    return endpoint.path().endsWith("{id}/run")
        || (endpoint.path().endsWith("redirect") && endpoint.method().equals("POST"));
  }

  @Test
  void changesRefuseOtherSitesAndOtherForms() {
    Deviations deviations = new Deviations();
    for (Endpoint endpoint : endpoints()) {
      if (!endpoint.changes()) {
        continue;
      }
      Browser operator = as(endpoint.role());
      refused(deviations, endpoint, 403, "header-missing", request(operator, endpoint));
      refused(
          deviations,
          endpoint,
          403,
          "other-site",
          request(operator, endpoint)
              .header("X-Postbox", "1")
              .header("Sec-Fetch-Site", "same-site"));
      refused(
          deviations,
          endpoint,
          403,
          "other-site",
          request(operator, endpoint)
              .header("X-Postbox", "1")
              .header("Origin", "http://evil.example"));
      refused(
          deviations,
          endpoint,
          415,
          "media-type",
          operator
              .request(path(endpoint))
              .header("X-Postbox", "1")
              .header("Content-Type", "text/plain")
              .method(endpoint.method(), HttpRequest.BodyPublishers.ofString(body(endpoint))));
      refused(deviations, endpoint, 400, "not-json", sent(operator, endpoint, "{\"reason\":"));
      refused(deviations, endpoint, 400, "not-json", sent(operator, endpoint, "[]"));
      refused(deviations, endpoint, 400, "invalid", sent(operator, endpoint, "{\"<b>\":1}"));
      refused(deviations, endpoint, 400, "invalid", sent(operator, endpoint, "{}"));
      refused(
          deviations,
          endpoint,
          413,
          "too-large",
          sent(operator, endpoint, "{\"reason\":\"" + "x".repeat(66_000) + "\"}"));
      refused(
          deviations,
          endpoint,
          413,
          "too-large",
          operator
              .request(path(endpoint))
              .header("X-Postbox", "1")
              .header("Content-Type", "application/json")
              .method(
                  endpoint.method(),
                  HttpRequest.BodyPublishers.fromPublisher(
                      HttpRequest.BodyPublishers.ofByteArrays(
                          List.of(new byte[40_000], new byte[40_000])))));
    }
    deviations.check();
    assertThat(rows("outbox_switch")).isZero();
    assertThat(rows("postbox_audit")).isZero();
  }

  @Test
  void theLastHourIsPartOfTheOverview() {
    Browser viewer = as("viewer");

    patience(Duration.ofMinutes(2)) // the first is a minute after the start
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              JsonArray history = json(viewer.get("api/overview")).getJsonArray("history");
              assertThat(history).isNotEmpty();
              JsonObject minute = history.getJsonObject(0);
              assertThat(minute.getJsonObject("outbox")).containsKeys("pending", "relayed");
              assertThat(minute.getJsonObject("inbox")).containsKeys("parked", "failures");
              assertThat(
                      application
                          .database()
                          .value(
                              "SELECT history FROM %soutbox_count WHERE kind = 'CLAIM'"
                                  .formatted(application.prefix())))
                  .contains(minute.getString("now"));
            });
    assertThat(json(viewer.get("api/overview?since=2999-01-01T00:00:00Z")).getJsonArray("history"))
        .isEmpty();
    assertThat(viewer.get("api/overview?since=yesterday").statusCode()).isEqualTo(400);
  }

  @Test
  void aMalformedValueGetsATextAboutItself() {
    String unreadable = as("viewer").rawAnswer("localhost", "api/messages?id=%zz");
    assertThat(unreadable).startsWith("HTTP/1.1 400").contains("two hexadecimal digits");
    String list =
        as("viewer")
            .rawAnswer(
                "localhost", "api/audit;x%22;filename*=UTF-8''setup.hta;y=?format=csv&size=1");
    assertThat(list)
        .startsWith("HTTP/1.1 200")
        .contains("filename=\"audit.csv\"")
        .doesNotContain("setup.hta");
    assertThat(
            json(as("operator").send("POST", "api/relay/pause", "{\"reason\":\"a\\u0000b\"}"))
                .getString("detail"))
        .contains("NUL");
  }

  @Test
  void noReadAnswersThePageOfAnotherSite() {
    Deviations deviations = new Deviations();
    for (Endpoint endpoint : endpoints()) {
      Browser viewer = as(endpoint.role());
      for (String method : endpoint.changes() ? List.<String>of() : List.of("GET", "HEAD")) {
        for (String site : List.of("cross-site", "same-site")) {
          deviations.same(
              method + " " + endpoint + " " + site,
              viewer
                  .send(
                      viewer
                          .request(path(endpoint))
                          .header("Sec-Fetch-Site", site)
                          .method(method, HttpRequest.BodyPublishers.noBody()))
                  .statusCode(),
              403);
        }
      }
    }
    deviations.check();
    assertThat(rows("postbox_audit")).as("no view is on record").isZero();
    Browser viewer = as("viewer");
    assertThat(viewer.send(viewer.request("").header("Sec-Fetch-Site", "cross-site").GET()))
        .as("a link to the pages")
        .returns(200, HttpResponse::statusCode);
  }

  @Test
  void aNameThatIsNotListedIsNotAnswered() {
    for (String path : List.of("api/overview", "", "js/api.js")) {
      assertThat(as("viewer").rawStatus("evil.example", path)).as(path).isEqualTo(421);
      assertThat(as("viewer").rawStatus("127.0.0.1", path)).as(path).isEqualTo(200);
      assertThat(as("viewer").rawStatus("ops.example:9443", path)).as(path).isEqualTo(200);
    }
  }

  private HttpRequest.Builder request(Browser who, Endpoint endpoint) {
    return who.request(path(endpoint))
        .header("Content-Type", "application/json")
        .method(endpoint.method(), HttpRequest.BodyPublishers.ofString(body(endpoint)));
  }

  private HttpRequest.Builder sent(Browser who, Endpoint endpoint, String json) {
    return who.request(path(endpoint))
        .header("X-Postbox", "1")
        .header("Content-Type", "application/json")
        .method(endpoint.method(), HttpRequest.BodyPublishers.ofString(json));
  }

  private void refused(
      Deviations deviations,
      Endpoint endpoint,
      int status,
      String slug,
      HttpRequest.Builder request) {
    HttpResponse<String> answer = as(endpoint.role()).send(request);
    String what = "%s: %s".formatted(endpoint, answer.body());
    deviations.same(what, answer.statusCode(), status);
    isSafe(deviations, what, answer);
    if (answer.statusCode() == status) {
      deviations.same(what, slug(answer), slug);
    }
  }

  @Test
  void everyMistakeIsAnsweredWithAWayOut() {
    Deviations deviations = new Deviations();
    Browser viewer = as("viewer");
    for (String path :
        List.of(
            "api/nowhere", "api/overview/x", "api", "nowhere.html", "WEB-INF/web.xml", "error")) {
      HttpResponse<String> answer = viewer.get(path);
      deviations.same(path, answer.statusCode(), 404);
      isSafe(deviations, path, answer);
    }
    for (String query :
        List.of(
            "outbox/dead-letters?destinaton=x",
            "outbox/dead-letters?size=0",
            "outbox/dead-letters?size=101",
            "outbox/dead-letters?after=1",
            "outbox/dead-letters?from=yesterday",
            "outbox/dead-letters?id=1",
            "outbox/dead-letters?aggregateType=Order",
            "outbox/dead-letters?event=a&event=b",
            "outbox/dead-letters?event=%00",
            "outbox/dead-letters/1",
            "outbox/archive?outcome=PENDING",
            "outbox/archive?status=SENT",
            "inbox/parked?key=x",
            "inbox/parked/x",
            "inbox/quarantined?error=x",
            "messages?status=PENDING",
            "messages?aggregateType=Order",
            "destinations?page=2")) {
      HttpResponse<String> answer = viewer.get("api/" + query);
      deviations.same(query + answer.body(), answer.statusCode(), 400);
      isSafe(deviations, query, answer);
    }
    for (String path : List.of("a%2Fb", "a%5Cb", "api/a%2Fb")) { // which the server refuses
      HttpResponse<String> answer = viewer.get(path);
      deviations.same(path, answer.statusCode(), 400);
      isSafe(deviations, path, answer);
    }
    HttpResponse<String> gone = viewer.get("api/outbox/dead-letters/" + UUID.randomUUID());
    deviations.same("gone", gone.statusCode(), 404);
    isSafe(deviations, "gone", gone);
    HttpResponse<String> method = as("operator").send("DELETE", "api/overview", "{}");
    deviations.same("method", method.statusCode(), 405);
    isSafe(deviations, "method", method);
    HttpResponse<String> form =
        viewer.send(viewer.request("api/overview").header("Accept", "image/png").GET());
    deviations.same("form", form.statusCode(), 406);
    isSafe(deviations, "form", form);
    deviations.check();
  }

  /** Such a path reaches no application; the header is that of liberty-config's server.xml. */
  @Test
  void whatTheServerRefusesBeforeTheConsoleIsNotSniffed() {
    HttpResponse<String> answer = as("viewer").get("a%00b");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).doesNotContain("postbox");
    assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
  }

  @Test
  void theConsoleFindsTheMessages() {
    Browser viewer = as("viewer");

    JsonObject overview = json(viewer.get("api/overview"));
    assertThat(overview.getString("service")).isEqualTo(application.service());
    assertThat(overview.getString("principal")).isEqualTo("viewer");
    assertThat(overview.getJsonArray("roles")).hasToString("[\"viewer\"]");
    JsonObject found =
        json(viewer.get("api/outbox/dead-letters?destination=shipping"))
            .getJsonArray("items")
            .getJsonObject(0);
    assertThat(found.getString("id")).isEqualTo(letter.toString());
    assertThat(found.getString("lastError")).isEqualTo(HOSTILE);
    assertThat(found.containsKey("orderingKey")).isFalse();
    assertThat(json(viewer.get("api/inbox/parked/" + parked)).getString("replyTo"))
        .isEqualTo("queue:REPLIES");
    assertThat(json(viewer.get("api/outbox/dead-letters?destination=none")))
        .hasToString("{\"items\":[]}");
  }

  @Test
  void oneProcessWithBothModulesIsOneNode() {
    Browser viewer = as("viewer");

    eventually(
        () -> {
          JsonObject nodes = json(viewer.get("api/nodes"));
          assertThat(living(nodes, "outbox")).hasSize(1).isEqualTo(living(nodes, "inbox"));
        });
    eventually(
        () ->
            assertThat(json(viewer.get("api/overview")).getJsonObject("nodes").getInt("alive"))
                .isEqualTo(1));
  }

  @Test
  void aProcessThatIsGoneIsOneNodeToo() {
    String insert =
        "INSERT INTO %1$s_node (node, host, version, started_at, alive_at, details) SELECT '1@gone 2', 'gone', '1', MAX(started_at) - INTERVAL '1' HOUR, MAX(started_at) + INTERVAL '1' SECOND, '{\"relay\":\"ON\",\"workers\":1}' FROM %1$s_node";
    oneProcessWithBothModulesIsOneNode(); // it does not stand for one that dies after its start
    try {
      for (String module : List.of("outbox", "inbox")) {
        application.database().run(insert.formatted(application.prefix() + module));
      }
      eventually(
          () -> {
            JsonObject overview = json(as("viewer").get("api/overview"));
            assertThat(overview.getJsonObject("nodes").getInt("gone")).isEqualTo(1);
            assertThat(overview.getJsonArray("concerns").toString())
                .contains("Of 1 node nothing was heard");
          });
    } finally {
      for (String module : List.of("outbox", "inbox")) {
        application
            .database()
            .run(
                "DELETE FROM %s%s_node WHERE node = '1@gone 2'"
                    .formatted(application.prefix(), module));
      }
    }
  }

  private static Set<String> living(JsonObject nodes, String module) {
    Set<String> names = new HashSet<>();
    for (JsonValue node : nodes.getJsonArray(module)) {
      if (node.asJsonObject().getBoolean("alive")) {
        names.add(node.asJsonObject().getString("name"));
      }
    }
    return names;
  }

  @Test
  void aMessageIsFoundWhereverItIs() {
    Browser viewer = as("viewer");

    assertThat(viewer.get("api/messages?id=" + letter).body())
        .contains("\"where\":\"outbox\"", "\"status\":\"DEAD\"", letter.toString());
    assertThat(viewer.get("api/messages?id=m-1").body())
        .contains("\"where\":\"parked\"", "\"consumer\":\"shipping\"");
    assertThat(viewer.get("api/messages?status=DEAD").body())
        .contains(letter.toString())
        .doesNotContain("m-1");
    assertThat(viewer.get("api/messages?status=DED").statusCode()).isEqualTo(400);
    assertThat(json(viewer.get("api/messages/m-1")).getJsonArray("events").toString())
        .contains("\"what\":\"parked\"", "\"text\":\"REJECTED\"");
    HttpResponse<String> none = viewer.get("api/messages/" + UUID.randomUUID());
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(json(none).getString("detail")).startsWith("No row is kept of a message");
  }

  /** As docs/console.md says. */
  private static String inAPath(String name) {
    StringBuilder part = new StringBuilder();
    for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
      part.append(
          String.valueOf((char) octet).matches("[A-Za-z0-9_-]")
              ? String.valueOf((char) octet)
              : "~%02x".formatted(octet));
    }
    return part.toString();
  }

  @Test
  void namesAndIdsOfAnyFormAreFoundPausedAndResumed() {
    Deviations deviations = new Deviations();
    Browser operator = as("operator");
    for (String name :
        List.of(
            "orders/2026/17#a",
            "back\\slash",
            "../../x",
            "a/../b",
            "..",
            "a%2Fb",
            "100%",
            "?q=1&x=2",
            "semi;colon=1",
            "plus+plus",
            "blank blank",
            "quo\"te",
            "~2f",
            "größe-注文")) {
      park("shipping", name);
      String life = "api/messages/" + inAPath(name);
      deviations.same(life, operator.get(life).statusCode(), 200);
      deviations.same(life, json(operator.get(life)).getString("id", ""), name);
      deadLetter(name);
      park(name, "of " + name);
      for (String lane : List.of("destinations", "consumers")) {
        for (String what : List.of("pause", "resume")) {
          String path = "api/" + lane + "/" + inAPath(name) + "/" + what;
          deviations.same(
              path,
              operator.send("POST", path, "{\"reason\":\"moved\"}").body(),
              "{\"changed\":true}");
        }
      }
    }
    deviations.check();
  }

  @Test
  void aNameThatNobodyHasIsRefusedWithTheNearestOne() {
    Deviations deviations = new Deviations();
    String reason = "{\"reason\":\"moved\"}";
    for (String each :
        List.of(
            "POST destinations/shiping/pause",
            "POST destinations/shiping/resume",
            "DELETE destinations/shiping/redirect",
            "DELETE destinations/shiping/policy",
            "POST consumers/shiping/pause",
            "POST consumers/shiping/resume",
            "DELETE consumers/shiping/policy")) {
      String[] parts = each.split(" ");
      HttpResponse<String> answer = as("operator").send(parts[0], "api/" + parts[1], reason);
      deviations.same(each + answer.body(), slug(answer), "invalid");
      deviations.holds(
          each,
          json(answer).getString("wayOut").startsWith("Did you mean \"shipping\"?"),
          answer.body());
    }
    HttpResponse<String> target =
        as("operator")
            .send(
                "POST",
                "api/destinations/shipping/redirect",
                "{\"target\":\"slwo\",\"plan\":\"none\",\"reason\":\"moved\"}");
    deviations.holds(
        "target",
        json(target).getString("wayOut").startsWith("Did you mean \"slow\"?"),
        target.body());
    deviations.check();
    assertThat(rows("outbox_switch") + rows("inbox_switch") + rows("postbox_audit")).isZero();
  }

  @Test
  void theSearchGoesOnFromTheOutboxToTheInbox() {
    Set<String> places = new HashSet<>();
    String next = "";
    do {
      JsonObject page = json(as("viewer").get("api/messages?from=2000-01-01T00:00:00Z" + next));
      for (JsonValue item : page.getJsonArray("items")) {
        places.add(item.asJsonObject().getString("where"));
      }
      next = page.containsKey("next") ? "&after=" + page.getString("next") : "";
    } while (!next.isEmpty());

    assertThat(places).containsExactlyInAnyOrder("outbox", "parked", "quarantined");
  }

  @Test
  void aListIsReadPageByPage() {
    Set<String> expected = new HashSet<>(Set.of(letter.toString()));
    for (int i = 0; i < 4; i++) {
      expected.add(deadLetter("shipping").toString());
    }
    Set<String> read = new HashSet<>();
    String next = "";
    int pages = 0;
    do {
      JsonObject page = json(as("viewer").get("api/outbox/dead-letters?size=2" + next));
      for (JsonValue item : page.getJsonArray("items")) {
        assertThat(read.add(item.asJsonObject().getString("id"))).isTrue();
      }
      next = page.containsKey("next") ? "&after=" + page.getString("next") : "";
      pages++;
    } while (!next.isEmpty());

    assertThat(pages).isEqualTo(3);
    assertThat(read).isEqualTo(expected);
  }

  @Test
  void aPauseIsShownAndOnRecordWithWhoAndWhy() {
    Browser operator = as("operator");

    assertThat(operator.send("POST", "api/destinations/shipping/pause", "{\"reason\":\"moved\"}"))
        .returns("{\"changed\":true}", HttpResponse::body);
    JsonObject item = json(operator.get("api/destinations")).getJsonArray("items").getJsonObject(0);
    assertThat(item.getString("name")).isEqualTo("shipping");
    assertThat(item.getJsonObject("paused").getString("principal")).isEqualTo("operator");
    assertThat(operator.send("POST", "api/destinations/shipping/resume", "{\"reason\":\"done\"}"))
        .returns("{\"changed\":true}", HttpResponse::body);
    assertThat(
            application
                .database()
                .column(
                    "SELECT action || ' ' || principal || ' ' || reason FROM "
                        + application.prefix()
                        + "postbox_audit ORDER BY at"))
        .containsExactly("pause operator moved", "resume operator done");
    JsonObject latest = json(operator.get("api/audit")).getJsonArray("items").getJsonObject(0);
    assertThat(latest.getString("action")).isEqualTo("resume");
    assertThat(latest.getString("principal")).isEqualTo("operator");
    assertThat(json(operator.get("api/audit?principal=nobody"))).hasToString("{\"items\":[]}");
  }

  @Test
  void aPauseOfCapturedMessagesIsShownAndOnRecordWithWhoAndWhy() {
    Browser operator = as("operator");
    park("billing", "m-2");

    assertThat(operator.send("POST", "api/consumers/billing/pause", "{\"reason\":\"moved\"}"))
        .returns("{\"changed\":true}", HttpResponse::body);
    assertThat(operator.send("POST", "api/consumers/billing/pause", "{\"reason\":\"again\"}"))
        .returns("{\"changed\":false}", HttpResponse::body);
    assertThat(
            slug(
                operator.send(
                    "POST",
                    "api/consumers/" + "x".repeat(101) + "/pause",
                    "{\"reason\":\"moved\"}")))
        .isEqualTo("invalid");
    JsonObject paused =
        json(operator.get("api/consumers")).getJsonArray("items").stream()
            .map(JsonValue::asJsonObject)
            .filter(each -> each.getString("name").equals("billing"))
            .findAny()
            .orElseThrow()
            .getJsonObject("paused");
    assertThat(paused.getString("principal")).isEqualTo("operator");
    assertThat(paused.getString("reason")).isEqualTo("moved");
    assertThat(json(operator.get("api/overview")).getJsonArray("concerns").toString())
        .contains("The captured messages of 1 consumer are paused: billing.");
    assertThat(operator.send("POST", "api/consumers/billing/resume", "{\"reason\":\"done\"}"))
        .returns("{\"changed\":true}", HttpResponse::body);
    assertThat(operator.get("api/consumers").body()).doesNotContain("moved");
    assertThat(operator.get("api/audit?action=pause").body()).contains("billing", "moved");
  }

  @Test
  void aListIsSavedForASpreadsheet() {
    HttpResponse<String> answer = as("viewer").get("api/outbox/dead-letters?size=1&format=csv");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow().toLowerCase(Locale.ROOT))
        .isEqualTo("text/csv;charset=utf-8");
    assertThat(answer.headers().firstValue("Content-Disposition"))
        .contains("attachment; filename=\"dead-letters.csv\"");
    assertThat(answer.headers().firstValue("Cache-Control").orElseThrow()).startsWith("no-store");
    assertThat(answer.body().lines().toList()).hasSize(2);
    assertThat(answer.body()).startsWith("\"seq\",\"id\",").contains("\"shipping\"");
    assertThat(slug(as("viewer").get("api/audit?format=xml"))).isEqualTo("invalid");
    assertThat(as("ada").get("api/audit?format=csv").statusCode()).isEqualTo(403);
  }

  @Test
  void aRedirectNeedsAPlanOfItsOwnPersonOnce() {
    String planned = "{\"action\":\"redirect\",\"destination\":\"shipping\"}";
    String id = json(as("operator").send("POST", "api/outbox/plans", planned)).getString("id");
    String redirect = "{\"target\":\"slow\",\"plan\":\"%s\",\"reason\":\"moved\"}".formatted(id);
    String path = "api/destinations/shipping/redirect";

    assertThat(slug(as("hasty").send("POST", path, redirect))).isEqualTo("plan-refused");
    assertThat(as("operator").send("POST", path, redirect))
        .returns("{\"changed\":true}", HttpResponse::body);
    assertThat(slug(as("operator").send("POST", path, redirect))).isEqualTo("plan-refused");
    assertThat(as("operator").send("DELETE", path, "{\"reason\":\"back\"}"))
        .returns("{\"changed\":true}", HttpResponse::body);
  }

  @Test
  void aPlanSaysWhatItWouldDoAndChangesNothing() {
    HttpResponse<String> answer =
        as("operator")
            .send(
                "POST",
                "api/outbox/plans",
                "{\"action\":\"discard\",\"filter\":{\"destination\":\"shipping\"}}");

    assertThat(answer.statusCode()).isEqualTo(201);
    JsonObject plan = json(answer);
    assertThat(plan.getInt("messages")).isEqualTo(1);
    assertThat(plan.getJsonArray("destinations").getJsonObject(0).getInt("letters")).isEqualTo(1);
    assertThat(plan.getJsonArray("effect").getString(0))
        .isEqualTo(
            "1 dead letter is never sent: it goes to the archive as DISCARDED, for the retention.");
    assertThat(rows("outbox_message")).isEqualTo(1);
    assertThat(rows("outbox_archive")).isZero();
  }

  @Test
  void aPlanIsCarriedOutOnceInTheBackground() {
    Browser operator = as("operator");
    String planned = "{\"action\":\"discard\",\"filter\":{\"destination\":\"shipping\"}}";
    String plan = json(operator.send("POST", "api/outbox/plans", planned)).getString("id");
    String run = "api/plans/" + plan + "/run";
    String reason = "{\"reason\":\"sent by hand\"}";

    assertThat(slug(operator.send("POST", run, "{\"reason\":\"x\",\"first\":1}")))
        .isEqualTo("invalid");
    assertThat(slug(as("hasty").send("POST", run, reason))).isEqualTo("plan-refused");
    HttpResponse<String> started = operator.send("POST", run, reason);
    assertThat(started.statusCode()).as(started.body()).isEqualTo(202);
    assertThat(slug(operator.send("POST", run, reason))).isEqualTo("plan-refused");

    String action = "api/actions/" + json(started).getString("action");
    eventually(() -> assertThat(json(operator.get(action)).getString("state")).isEqualTo("DONE"));
    JsonObject done = json(operator.get(action));
    assertThat(done.getInt("done")).isEqualTo(1);
    assertThat(done.getString("principal")).isEqualTo("operator");
    assertThat(done.getString("reason")).isEqualTo("sent by hand");
    assertThat(rows("outbox_archive")).isEqualTo(1);
    assertThat(operator.get("api/actions").body()).contains(done.getString("id"));
    assertThat(operator.send("POST", action + "/pause", reason).body())
        .isEqualTo("{\"changed\":false}");
  }

  @Test
  void aGapInTheOrderOfVersionsIsShownAndSkippedByAPlan() {
    Database database = application.database();
    String prefix = application.prefix();
    for (String table : List.of("inbox_aggregate", "inbox_discarded")) {
      database.run("DELETE FROM " + prefix + table);
    }
    database.run(
        "INSERT INTO "
            + prefix
            + "inbox_aggregate (consumer, aggregate_type, aggregate_id, version, waiting_since)"
            + " VALUES ('shipping', 'Order', '42', 4, CURRENT_TIMESTAMP)");
    database.run(
        "INSERT INTO "
            + prefix
            + "inbox_stored (consumer, message_id, status, captured, reason, aggregate_type,"
            + " aggregate_id, aggregate_version, fingerprint, fingerprint_version, precedence,"
            + " headers, size, body_type, properties, kept_at) "
            + kept(
                "consumer, 'early', 'EARLY', FALSE, 'EARLY', 'Order', '42', 7, fingerprint, 1, 5,"
                    + " '{}', 0, 'NONE', '{}', CURRENT_TIMESTAMP",
                "PARKED"));
    Browser operator = as("operator");

    assertThat(operator.get("api/inbox/parked").body()).doesNotContain("early");
    assertThat(operator.get("api/inbox/gaps?consumer=shipping").body())
        .contains("\"aggregateId\":\"42\"", "\"missing\":\"5 to 6\"", "\"firstWaiting\":7");
    assertThat(operator.get("api/inbox/gaps?consumer=billing").body()).contains("\"items\":[]");
    assertThat(operator.get("api/inbox/gaps?after=x").statusCode()).isEqualTo(400);
    JsonObject plan =
        json(
            operator.send(
                "POST",
                "api/inbox/gap-plans",
                "{\"action\":\"skip\",\"filter\":{\"consumer\":\"shipping\"}}"));
    assertThat(plan.getInt("messages")).isOne();
    assertThat(plan.getJsonArray("effect").getString(0))
        .isEqualTo(
            "'shipping' gives up the versions 5 to 6 of Order/42, and handles version 7 next.");
    HttpResponse<String> done =
        operator.send(
            "POST",
            "api/plans/" + plan.getString("id") + "/run",
            "{\"reason\":\"the sender lost them\"}");

    assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
    assertThat(done.body()).isEqualTo("{\"skipped\":1,\"leftAlone\":0}");
    assertThat(database.value("SELECT version FROM " + prefix + "inbox_aggregate")).isEqualTo("6");
    assertThat(operator.get("api/audit").body())
        .contains("skip-versions", "the sender lost them", "missing 5 to 6");
    database.run("DELETE FROM " + prefix + "inbox_aggregate");
  }

  @Test
  void aPlanOfTheInboxIsCarriedOutToo() {
    Browser operator = as("operator");
    String planned =
        "{\"kind\":\"parked\",\"action\":\"discard\",\"filter\":{\"consumer\":\"shipping\"}}";
    String plan = json(operator.send("POST", "api/inbox/plans", planned)).getString("id");

    HttpResponse<String> started =
        operator.send("POST", "api/plans/" + plan + "/run", "{\"reason\":\"seen\"}");

    assertThat(started.statusCode()).as(started.body()).isEqualTo(202);
    String action = "api/actions/" + json(started).getString("action");
    eventually(() -> assertThat(json(operator.get(action)).getString("state")).isEqualTo("DONE"));
    assertThat(json(operator.get(action)).getString("module")).isEqualTo("inbox");
    assertThat(application.database().column(kept("id", "PARKED"))).isEmpty();
    assertThat(application.database().column(kept("id", "QUARANTINED"))).hasSize(1);
  }

  @Test
  void aPayloadLeavesAsOctetsAndIsOnRecord() {
    String path = "api/inbox/parked/" + parked + "/payload";
    Browser payload = as("payload");

    HttpResponse<String> masked = payload.get(path);
    HttpResponse<String> whole = payload.get(path + "?show=full");

    assertThat(json(masked).getString("text")).isEqualTo("{\"xxxx\":\"0000\",\"xxx\":\"xxx\"}");
    assertThat(whole.body()).isEqualTo("{\"card\":\"4111\",\"who\":\"Ada\"}");
    assertThat(header(whole, "Content-Type")).isEqualTo("application/octet-stream");
    assertThat(header(whole, "Content-Disposition"))
        .isEqualTo("attachment; filename=\"parked-" + parked + ".bin\"");
    assertThat(header(whole, "Cache-Control")).contains("no-store");
    assertThat(payload.get(path + "?show=all").statusCode()).isEqualTo(400);
    assertThat(
            application
                .database()
                .column("SELECT principal FROM " + application.prefix() + "postbox_audit"))
        .containsExactly("payload", "payload");
  }

  @Test
  void theConfigurationSaysWhereAValueComesFromAndNoPassword() {
    String body = as("viewer").get("api/configuration").body();

    assertThat(body)
        .contains(
            "\"key\":\"postbox.console.enabled\",\"default\":\"false\",\"value\":\"true\"",
            "\"key\":\"postbox.outbox.partitions\",\"default\":\"16\",\"source\":\"default\"")
        .doesNotContain("postbox.keystore", "\"secret\"");
  }

  @Test
  void aPolicyIsSetShownWithItsSourceAndEnded() {
    Browser operator = as("operator");
    assertThat(
            operator
                .send(
                    "PUT",
                    "api/destinations/slow/policy",
                    "{\"maxAttempts\":50,\"backoffFirstSeconds\":0.25,\"onDeadLetter\":\"continue\","
                        + "\"reason\":\"flaky\"}")
                .body())
        .isEqualTo("{\"changed\":true}");
    assertThat(
            operator
                .send(
                    "PUT",
                    "api/consumers/shipping/policy",
                    "{\"backoffMaxSeconds\":3600,\"reason\":\"slow\"}")
                .statusCode())
        .isEqualTo(200);

    assertThat(operator.get("api/destinations?size=100").body())
        .contains(
            "\"policy\":{\"maxAttempts\":50,\"backoffFirstSeconds\":0.25,"
                + "\"onDeadLetter\":\"continue\",\"reason\":\"flaky\",\"principal\":\"operator\"");
    assertThat(operator.get("api/consumers?size=100").body())
        .contains("\"policy\":{\"backoffMaxSeconds\":3600.0,\"reason\":\"slow\"");
    assertThat(operator.get("api/configuration").body())
        .contains(
            "\"key\":\"postbox.outbox.destination.slow.max-attempts\",\"value\":\"50\","
                + "\"configured\":\"7\",\"source\":\"runtime\",\"principal\":\"operator\"",
            "\"key\":\"postbox.outbox.destination.slow.backoff.first\",\"value\":\"250ms\"",
            "\"key\":\"postbox.outbox.destination.slow.on-dead-letter\",\"value\":\"continue\"",
            "\"key\":\"postbox.inbox.consumer.shipping.backoff.max\",\"value\":\"3600s\"");
    for (String refused :
        List.of(
            "{\"maxAttempts\":0,\"reason\":\"x\"}",
            "{\"maxAttempts\":1.5,\"reason\":\"x\"}",
            "{\"backoffFirstSeconds\":0.0009,\"reason\":\"x\"}",
            "{\"backoffFirstSeconds\":1e99,\"reason\":\"x\"}",
            "{\"backoffFirstSeconds\":9,\"backoffMaxSeconds\":8,\"reason\":\"x\"}",
            "{\"backoffMaxSeconds\":0.5,\"reason\":\"below the configured first\"}",
            "{\"onDeadLetter\":\"HOLD!\",\"reason\":\"x\"}",
            "{\"reason\":\"nothing said\"}",
            "{\"maxAttempts\":2}")) {
      HttpResponse<String> answer = operator.send("PUT", "api/destinations/slow/policy", refused);
      assertThat(answer.statusCode()).as(refused).isEqualTo(400);
      assertThat(slug(answer)).as(refused).isEqualTo("invalid");
    }
    for (String each : List.of("destinations/slow", "consumers/shipping")) {
      assertThat(operator.send("DELETE", "api/" + each + "/policy", "{\"reason\":\"over\"}").body())
          .isEqualTo("{\"changed\":true}");
    }
    assertThat(operator.get("api/configuration").body()).doesNotContain("\"runtime\"");
    assertThat(operator.get("api/audit?action=set-policy").body())
        .contains("slow: max-attempts=50, backoff.first=250ms, on-dead-letter=continue");
  }

  @Test
  void onePersonsActionsAreLimited() {
    Browser hasty = as("hasty");
    int refused = 0;
    for (int i = 0; i <= 2 * ACTIONS && refused == 0; i++) {
      HttpResponse<String> answer = hasty.send("POST", "api/relay/pause", "{}");
      refused = answer.statusCode() == 429 ? i : 0;
    }

    assertThat(refused).isBetween(ACTIONS, 2 * ACTIONS);
    assertThat(as("operator").send("POST", "api/relay/pause", "{}").statusCode()).isEqualTo(400);
  }
}
