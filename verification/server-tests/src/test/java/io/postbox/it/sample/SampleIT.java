package io.postbox.it.sample;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Server;
import io.postbox.it.tools.Endpoint;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The EAR itself, which the server's own configuration deploys. */
@ArquillianTest
class SampleIT {
  private static final int PORT = Server.port();
  private static final String ORDER = "{\"sku\":\"BOOK-1\",\"quantity\":2}";

  @BeforeAll
  static void theSampleIsReady() {
    eventually(() -> assertThat(Endpoint.get(PORT, "/api/totals").statusCode()).isEqualTo(200));
  }

  @Test
  void anOrderBecomesOneShipmentAndIsShipped() {
    long orders = total("orders");
    long shipments = total("shipments");
    long shipped = total("shippedOrders");
    long stock = number(get("/api/stock/BOOK-1"), "quantity");

    HttpResponse<String> placed = order();

    assertThat(placed.statusCode()).isEqualTo(201);
    long id = number(placed.body(), "orderId");
    assertThat(placed.headers().firstValue("Location").orElse("none"))
        .endsWith("/api/orders/" + id);
    assertThat(placed.body()).containsPattern("\"messageId\":\"[0-9a-f-]{36}\"");
    isShipped(id);
    assertThat(get("/api/orders/" + id))
        .contains("\"orderId\":" + id, "\"sku\":\"BOOK-1\"", "\"quantity\":2");
    assertThat(shipmentsOf(id)).hasSize(1);
    assertThat(total("orders")).isEqualTo(orders + 1);
    assertThat(total("shipments")).isEqualTo(shipments + 1);
    assertThat(total("shippedOrders")).isEqualTo(shipped + 1);
    assertThat(number(get("/api/stock/BOOK-1"), "quantity")).isEqualTo(stock - 2);
    nothingIsLeft();
  }

  @Test
  void aShippedOrderIsBilledOnce() {
    long id = number(order().body(), "orderId");

    eventually(() -> assertThat(invoicesOf(id)).hasSize(1));

    String shipment = get("/api/shipments?orderId=" + id);
    assertThat(get("/api/invoices?orderId=" + id))
        .matches("\\[\\{\"invoiceId\":\\d+,\"orderId\":\\d+,\"shipmentId\":\\d+}]")
        .contains("\"shipmentId\":" + number(shipment, "shipmentId"));
    Endpoint.post(PORT, "/api/orders/" + id + "/resend", "");
    nothingIsLeft();
    assertThat(invoicesOf(id)).hasSize(1);
  }

  @Test
  void anOrderThatIsRejectedIsNotBilled() {
    HttpResponse<String> placed =
        Endpoint.post(PORT, "/api/orders", "{\"sku\":\"UNICORN\",\"quantity\":1}");
    long id = number(placed.body(), "orderId");

    eventually(() -> assertThat(get("/api/orders/" + id)).contains("\"status\":\"REJECTED\""));

    nothingIsLeft();
    assertThat(get("/api/invoices?orderId=" + id)).isEqualTo("[]");
  }

  @Test
  void invoicesAreAskedForByOrder() {
    assertThat(get("/api/invoices?orderId=999999999")).isEqualTo("[]");
    HttpResponse<String> answer = Endpoint.get(PORT, "/api/invoices?orderId=x");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("\"field\":\"orderId\"");
  }

  @Test
  void aResendIsSkippedAndCounted() {
    long id = number(order().body(), "orderId");
    isShipped(id);
    nothingIsLeft();
    long duplicates = total("duplicates");
    long shipments = total("shipments");

    HttpResponse<String> resent = Endpoint.post(PORT, "/api/orders/" + id + "/resend", "");

    assertThat(resent.statusCode()).isBetween(200, 204);
    eventually(() -> assertThat(total("duplicates")).isEqualTo(duplicates + 1));
    assertThat(shipmentsOf(id)).hasSize(1);
    assertThat(total("shipments")).isEqualTo(shipments);
    nothingIsLeft();
  }

  @Test
  void aRepeatedRequestGetsTheFirstResponseAndOrdersNothing() {
    long orders = total("orders");
    String key = key();

    HttpResponse<String> first = order(key, ORDER);
    HttpResponse<String> repeat = order("\"" + key + "\"", ORDER);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(repeat.statusCode()).isEqualTo(201);
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(repeat.headers().firstValue("Location"))
        .isPresent()
        .isEqualTo(first.headers().firstValue("Location"));
    assertThat(repeat.headers().firstValue("Content-Type"))
        .isEqualTo(first.headers().firstValue("Content-Type"));
    assertThat(total("orders")).isEqualTo(orders + 1);
    long id = number(first.body(), "orderId");
    isShipped(id);
    nothingIsLeft();
    assertThat(shipmentsOf(id)).hasSize(1);
    assertThat(invoicesOf(id)).hasSize(1);
    assertThat(order(key, ORDER).body()).isEqualTo(first.body());
  }

  @Test
  void anotherOrderUnderTheKeyIsRefused() {
    String key = key();
    order(key, ORDER);
    long orders = total("orders");

    HttpResponse<String> other = order(key, "{\"sku\":\"BOOK-1\",\"quantity\":3}");

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.body()).contains("belongs to another request");
    assertThat(total("orders")).isEqualTo(orders);
  }

  @Test
  void anOrderWithAMalformedKeyIsRefused() {
    long orders = total("orders");
    HttpResponse<String> answer = order("two words", ORDER);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("Idempotency-Key");
    assertThat(total("orders")).isEqualTo(orders);
  }

  @Test
  void aRefusedOrderIsCorrectedUnderItsKey() {
    String key = key();
    HttpResponse<String> refused = order(key, "{\"sku\":\"BOOK-1\",\"quantity\":0}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("\"field\":\"quantity\"");

    assertThat(order(key, ORDER).statusCode()).isEqualTo(201);
  }

  @Test
  void ofManyRequestsWithOneKeyOneOrders() {
    long orders = total("orders");
    String key = key();

    List<HttpResponse<String>> answers =
        IntStream.range(0, 20)
            .mapToObj(request -> CompletableFuture.supplyAsync(() -> order(key, ORDER)))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();

    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(
                        answer.statusCode() == 201
                            || (answer.statusCode() == 409
                                && answer.headers().firstValue("Retry-After").isPresent()))
                    .as(answer.statusCode() + ": " + answer.body())
                    .isTrue());
    assertThat(
            answers.stream()
                .filter(answer -> answer.statusCode() == 201)
                .map(HttpResponse::body)
                .distinct())
        .hasSize(1);
    assertThat(total("orders")).isEqualTo(orders + 1);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          sku      | {"quantity":2}
          sku      | {"sku":"","quantity":2}
          sku      | {"sku":17,"quantity":2}
          quantity | {"sku":"BOOK-1"}
          quantity | {"sku":"BOOK-1","quantity":0}
          quantity | {"sku":"BOOK-1","quantity":1.5}
          quantity | {"sku":"BOOK-1","quantity":"2"}
          quantity | {"sku":"BOOK-1","quantity":99999999999999999999}
          """)
  void badInputIsAnsweredWithTheFieldThatIsWrong(String field, String order) {
    long orders = total("orders");
    HttpResponse<String> answer = Endpoint.post(PORT, "/api/orders", order);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("Content-Type").orElse("none"))
        .startsWith("application/json");
    assertThat(answer.body()).contains("\"field\":\"" + field + "\"");
    assertThat(total("orders")).isEqualTo(orders);
  }

  @Test
  void aBodyThatIsNotJsonIsAnsweredWith400() {
    assertThat(Endpoint.post(PORT, "/api/orders", "two books, please").statusCode()).isEqualTo(400);
  }

  @Test
  void tooDeepNestingIsAnsweredWith400() {
    String order = "{\"sku\":\"BOOK-1\",\"quantity\":1,\"x\":" + "[".repeat(2_000);
    assertThat(Endpoint.post(PORT, "/api/orders", order).statusCode()).isEqualTo(400);
  }

  /** As the form of a page on another site posts it, for whoever looks at that page. */
  @Test
  void thePageOfAnotherSiteCannotHaveAMessageSentAgain() {
    long id = number(order().body(), "orderId");
    isShipped(id);
    nothingIsLeft();
    long duplicates = total("duplicates");

    HttpResponse<String> forged =
        Endpoint.postFrom("http://evil.example", PORT, "/api/orders/" + id + "/resend");

    assertThat(forged.statusCode()).isEqualTo(403);
    assertThat(forged.body()).contains("nothing was changed");
    HttpResponse<String> own =
        Endpoint.postFrom("http://localhost:" + PORT, PORT, "/api/orders/" + id + "/resend");
    assertThat(own.statusCode()).isEqualTo(202);
    eventually(() -> assertThat(total("duplicates")).isEqualTo(duplicates + 1));
    nothingIsLeft();
  }

  @Test
  void thePageAndTheHealthAndTheMetricsAreThere() {
    assertThat(Endpoint.get(PORT, "/").statusCode()).isEqualTo(200);
    // Whether all of the server is ready depends on the tests that run before and after.
    assertThat(Endpoint.get(PORT, "/health/live").statusCode()).isEqualTo(200);
    isShipped(number(order().body(), "orderId"));
    eventually(
        () ->
            assertThat(
                    Endpoint.metric(
                        Endpoint.metrics(PORT),
                        "postbox_inbox_processed_total",
                        "service=\"postbox-sample\"",
                        "consumer=\"shipping\""))
                .hasSize(1));
  }

  @Test
  void theServerSaysNothingOfClassesThatItMayIgnore() {
    assertThat(Server.log().lines("WELD-000411")).isEmpty();
    assertThat(Server.log().lines("WELD-000119")).isEmpty();
  }

  /** Of two web modules, the console and the sample's own, only one shows them. */
  @Test
  void aHealthCheckIsShownOnce() {
    String health = Endpoint.get(PORT, "/health").body();

    assertThat(
            Pattern.compile("\"name\":\"(postbox-[a-z-]+)\"")
                .matcher(health)
                .results()
                .map(match -> match.group(1)))
        .containsExactlyInAnyOrder("postbox-outbox", "postbox-outbox-relay", "postbox-inbox");
  }

  private static HttpResponse<String> order() {
    return Endpoint.post(PORT, "/api/orders", ORDER);
  }

  private static HttpResponse<String> order(String key, String order) {
    return Endpoint.ask(
        PORT,
        "/api/orders",
        request ->
            request
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(order)));
  }

  private static String key() {
    return UUID.randomUUID().toString();
  }

  private static void isShipped(long id) {
    eventually(() -> assertThat(get("/api/orders/" + id)).contains("\"status\":\"SHIPPED\""));
  }

  private static void nothingIsLeft() {
    eventually(() -> assertThat(total("pending")).isZero());
    eventually(() -> assertThat(total("invoices")).isEqualTo(total("shipments")));
    eventually(() -> assertThat(total("captured")).isZero());
    assertThat(total("dead")).isZero();
    assertThat(total("quarantined")).isZero();
    assertThat(total("parked")).isZero();
  }

  private static List<String> shipmentsOf(long id) {
    return ofOrder("shipments", id);
  }

  private static List<String> invoicesOf(long id) {
    return ofOrder("invoices", id);
  }

  private static List<String> ofOrder(String what, long id) {
    return Pattern.compile("\"orderId\":" + id + "\\b")
        .matcher(get("/api/" + what + "?orderId=" + id))
        .results()
        .map(match -> match.group())
        .toList();
  }

  private static long total(String name) {
    return number(get("/api/totals"), name);
  }

  private static String get(String path) {
    HttpResponse<String> answer = Endpoint.get(PORT, path);
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static long number(String json, String name) {
    Matcher number = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
    assertThat(number.find()).as(name + " in " + json).isTrue();
    return Long.parseLong(number.group(1));
  }
}
