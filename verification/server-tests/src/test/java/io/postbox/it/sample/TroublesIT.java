package io.postbox.it.sample;

import static io.postbox.it.tools.Eventually.eventually;
import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Server;
import io.postbox.it.tools.Endpoint;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The troubles that a visitor of the sample can cause, what the journey of their order says about
 * them, and the way out of each: with the sample's own button, or in the console.
 */
@ArquillianTest
class TroublesIT {
  private static final int PORT = Server.port();

  /** Ten attempts with up to two seconds between them, and the broker's lateness. */
  private static final Duration UNTIL_PARKED = Duration.ofSeconds(60);

  private static final String LOGIN = "demonstration:demonstration";
  private static final String WAY_OUT = "{\"reason\":\"the trouble is over\"}";

  /** Its handler fails while the other tests run. */
  private static long poisoned;

  @BeforeAll
  static void oneHandlerFailsAlways() {
    eventually(() -> assertThat(Endpoint.get(PORT, "/api/totals").statusCode()).isEqualTo(200));
    poisoned = cause("handler-fails");
  }

  @AfterAll
  static void theTroublesAreOver() {
    post("/api/troubles/resume", 200);
    post("/api/troubles/handler-fails/mend", 200);
    assertThat(get("/api/troubles"))
        .contains("\"printerBroken\":false")
        .doesNotContain("pausedSince", "redirectedTo");
    String totals = get("/api/totals");
    assertThat(List.of("dead", "parked", "quarantined"))
        .allSatisfy(name -> assertThat(number(totals, name)).as(name).isZero());
  }

  @Test
  void anOrderPassesItsSixStations() {
    HttpResponse<String> order =
        Endpoint.post(PORT, "/api/orders", "{\"sku\":\"PEN-1\",\"quantity\":2}");
    long id = number(order.body(), "orderId");
    isShipped(id);

    String journey = journey(id);

    assertThat(journey)
        .contains("\"orderId\":" + id, "\"sku\":\"PEN-1\"", "\"status\":\"SHIPPED\"");
    assertThat(facts(journey))
        .containsExactly("COMMITTED", "SENT", "DELIVERED", "RECORDED", "BOOKED", "RECORDED");
    assertThat(journey).containsPattern("\"shipments\":\\[\\d+]");
    // The events that the journal takes its times from come after their commits.
    eventually(() -> assertThat(all(journey(id), "\"at\":\"([^\"]+)\"")).hasSize(6));
    List<String> times = all(journey(id), "\"at\":\"([^\"]+)\"");
    assertThat(times.get(0)).isLessThanOrEqualTo(times.get(3));
    assertThat(times.get(3)).isLessThanOrEqualTo(times.get(5));
  }

  @Test
  void thereIsNoJourneyOfAnOrderThatIsNotThere() {
    assertThat(Endpoint.get(PORT, "/api/orders/999999999/journey").statusCode()).isEqualTo(404);
    assertThat(Endpoint.get(PORT, "/api/orders/x/journey").statusCode()).isEqualTo(404);
  }

  @Test
  void theJourneyCountsADuplicate() {
    long id = shipped();
    post("/api/orders/" + id + "/resend", 202);
    eventually(() -> assertThat(number(journey(id), "duplicates")).isEqualTo(1));
    eventually(() -> assertThat(number(journey(id), "timesSent")).isEqualTo(2));
    assertThat(journey(id)).containsPattern("\"shipments\":\\[\\d+]");
  }

  @Test
  void anAlteredCopyIsQuarantinedAndDiscardedInTheConsole() {
    long id = shipped();

    post("/api/orders/" + id + "/resend-altered", 202);

    eventually(() -> assertThat(journey(id)).containsPattern("\"quarantined\":\\[\\d+]"));
    assertThat(journey(id)).containsPattern("\"shipments\":\\[\\d+]");
    String row = all(journey(id), "\"quarantined\":\\[(\\d+)]").get(0);
    assertThat(console("GET", "inbox/quarantined/" + row, "").body()).contains("OTHER_CONTENT");
    run(
        "inbox",
        "{\"kind\":\"quarantined\",\"action\":\"discard\",\"filter\":{\"id\":\"%s\"}}",
        row);
    eventually(() -> assertThat(journey(id)).contains("\"quarantined\":[]"));
  }

  @Test
  void anAlteredCopyIsRefusedBeforeTheOrderHasItsAnswer() {
    HttpResponse<String> early =
        Endpoint.post(PORT, "/api/orders/" + poisoned + "/resend-altered", "");
    assertThat(early.statusCode()).isEqualTo(409);
    assertThat(early.body()).contains("still under way");
  }

  @Test
  void aHandlerThatFailsOnceIsCalledAgain() {
    long id = cause("handler-fails-once");
    isShipped(id);
    eventually(() -> assertThat(journey(id)).containsPattern("\"failures\":\\[\"[^\"]+\"]"));
    assertThat(journey(id)).containsPattern("\"shipments\":\\[\\d+]");
    assertThat(journey(id)).doesNotContain("\"parked\"");
  }

  @Test
  void aHandlerThatFailsAlwaysIsParkedMendedAndRedrivenInTheConsole() {
    assertThat(get("/api/troubles")).contains("\"printerBroken\":true");
    patience(UNTIL_PARKED)
        .untilAsserted(() -> assertThat(facts(journey(poisoned))).contains("PARKED"));
    assertThat(journey(poisoned)).contains("\"shipments\":[]", "\"status\":\"PLACED\"");
    assertThat(all(journey(poisoned), "\"failures\":\\[([^]]*)]").get(0).split(",")).hasSize(10);
    String row = all(journey(poisoned), "\"parked\":(\\d+)").get(0);
    assertThat(console("GET", "inbox/parked/" + row, "").body())
        .contains("TOO_MANY_FAILURES", "The label printer is out of order");

    post("/api/troubles/handler-fails/mend", 200);
    run("inbox", "{\"kind\":\"parked\",\"action\":\"redrive\",\"filter\":{\"id\":\"%s\"}}", row);

    isShipped(poisoned);
    assertThat(journey(poisoned))
        .doesNotContain("\"parked\"")
        .containsPattern("\"shipments\":\\[\\d+]");
  }

  @Test
  void aMessageToAMissingDestinationWaitsUntilItIsRedirectedInTheConsole() {
    long id = cause("missing-destination");
    eventually(() -> assertThat(facts(journey(id))).contains("CIRCUIT_OPEN"));
    assertThat(journey(id)).contains("\"destination\":\"depot\"", "\"failures\":[]");
    eventually(() -> assertThat(get("/api/troubles")).contains("\"circuitOpenSince\""));

    String plan =
        text(
            console("POST", "outbox/plans", "{\"action\":\"redirect\",\"destination\":\"depot\"}")
                .body(),
            "id");
    HttpResponse<String> redirected =
        console(
            "POST",
            "destinations/depot/redirect",
            "{\"target\":\"shipping\",\"plan\":\"%s\",\"reason\":\"there is no depot\"}"
                .formatted(plan));

    assertThat(redirected.statusCode()).as(redirected.body()).isEqualTo(200);
    assertThat(get("/api/troubles")).contains("\"redirectedTo\":\"shipping\"");
    isShipped(id);
    assertThat(console("DELETE", "destinations/depot/redirect", WAY_OUT).statusCode())
        .isEqualTo(200);
  }

  @Test
  void aPausedRelayKeepsWhatIsOrdered() {
    assertThat(post("/api/troubles/pause", 200)).contains("\"pausedSince\"");
    HttpResponse<String> order =
        Endpoint.post(PORT, "/api/orders", "{\"sku\":\"PEN-2\",\"quantity\":1}");
    long id = number(order.body(), "orderId");
    assertThat(facts(journey(id))).startsWith("COMMITTED", "PAUSED", "AHEAD");
    assertThat(console("GET", "destinations", "").body())
        .contains("A visitor of the sample asked for it");

    assertThat(post("/api/troubles/resume", 200)).doesNotContain("\"pausedSince\"");

    isShipped(id);
  }

  @Test
  @Tag("full")
  void aThousandOrdersAreShippedOneRushAtATime() {
    long orders = number(get("/api/totals"), "orders");

    post("/api/troubles/thousand-orders", 202);
    HttpResponse<String> second = Endpoint.post(PORT, "/api/troubles/thousand-orders", "");

    assertThat(second.statusCode()).isEqualTo(409);
    patience(Duration.ofMinutes(2))
        .untilAsserted(
            () ->
                assertThat(get("/api/troubles"))
                    .contains(
                        "\"running\":false",
                        "\"placed\":1000",
                        "\"shipped\":1000",
                        "\"shipments\":1000"));
    assertThat(number(get("/api/totals"), "orders")).isEqualTo(orders + 1_000);
  }

  @Test
  void theConsoleAndItsDemonstrationUserAreNamed() {
    assertThat(get("/api/troubles"))
        .contains("\"console\":\"/postbox/\"", "\"user\":\"demonstration\"");
    assertThat(console("GET", "overview", "").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "troubles/handler-fails-once",
        "troubles/handler-fails",
        "troubles/handler-fails/mend",
        "troubles/missing-destination",
        "troubles/pause",
        "troubles/resume",
        "troubles/thousand-orders",
        "orders/1/resend-altered"
      })
  void thePageOfAnotherSiteCannotCauseATrouble(String path) {
    long orders = number(get("/api/totals"), "orders");

    HttpResponse<String> forged = Endpoint.postFrom("http://evil.example", PORT, "/api/" + path);

    assertThat(forged.statusCode()).isEqualTo(403);
    assertThat(forged.body()).contains("nothing was changed");
    assertThat(number(get("/api/totals"), "orders")).isEqualTo(orders);
    assertThat(get("/api/troubles")).contains("\"running\":false").doesNotContain("pausedSince");
  }

  @Test
  void aGetCausesNoTrouble() {
    for (String path : List.of("handler-fails-once", "pause", "thousand-orders")) {
      assertThat(Endpoint.get(PORT, "/api/troubles/" + path).statusCode()).isEqualTo(405);
    }
  }

  /** Carries out a plan in the console and waits until it is done. */
  private static void run(String module, String plan, String row) {
    HttpResponse<String> planned = console("POST", module + "/plans", plan.formatted(row));
    assertThat(planned.statusCode()).as(planned.body()).isEqualTo(201);
    assertThat(number(planned.body(), "messages")).isEqualTo(1);
    HttpResponse<String> begun =
        console("POST", "plans/" + text(planned.body(), "id") + "/run", WAY_OUT);
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
  }

  private static HttpResponse<String> console(String method, String path, String json) {
    return Endpoint.ask(
        PORT,
        "/postbox/api/" + path,
        request ->
            request
                .header("X-Postbox", "1")
                .header("Content-Type", "application/json")
                .header(
                    "Authorization",
                    "Basic "
                        + Base64.getEncoder()
                            .encodeToString(LOGIN.getBytes(StandardCharsets.US_ASCII)))
                .method(method, BodyPublishers.ofString(json)));
  }

  private static long cause(String trouble) {
    return number(post("/api/troubles/" + trouble, 201), "orderId");
  }

  private static long shipped() {
    HttpResponse<String> order =
        Endpoint.post(PORT, "/api/orders", "{\"sku\":\"PEN-1\",\"quantity\":1}");
    long id = number(order.body(), "orderId");
    isShipped(id);
    return id;
  }

  private static void isShipped(long id) {
    eventually(() -> assertThat(get("/api/orders/" + id)).contains("\"status\":\"SHIPPED\""));
  }

  private static String journey(long id) {
    return get("/api/orders/" + id + "/journey");
  }

  private static List<String> facts(String journey) {
    return all(journey, "\"fact\":\"([A-Z_]+)\"");
  }

  private static List<String> all(String json, String pattern) {
    return Pattern.compile(pattern)
        .matcher(json)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  private static String post(String path, int status) {
    HttpResponse<String> answer = Endpoint.post(PORT, path, "");
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(status);
    return answer.body();
  }

  private static String get(String path) {
    HttpResponse<String> answer = Endpoint.get(PORT, path);
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static String text(String json, String name) {
    return all(json, "\"" + name + "\":\"([^\"]+)\"").get(0);
  }

  private static long number(String json, String name) {
    Matcher number = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
    assertThat(number.find()).as(name + " in " + json).isTrue();
    return Long.parseLong(number.group(1));
  }
}
