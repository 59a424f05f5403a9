package io.postbox.it.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.LookupPage;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.MessageLookup;
import io.postbox.it.frame.Archives;
import io.postbox.it.http.CuttingProxy.Direction;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Names;
import io.postbox.it.tools.TestApplication;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same on each database. */
abstract class HttpTests {
  private final TestApplication application = TestApplication.of(getClass());
  private final TillClient client = new TillClient(application.service());
  final String body = UUID.randomUUID().toString();
  final String key = UUID.randomUUID().toString();

  private static final String MARK = "Idempotent-Replayed: true\r\n";

  /** A person who pays from an account of their own has to log in. */
  private static final String LOGIN =
      """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
        <security-constraint>
          <web-resource-collection>
            <web-resource-name>own</web-resource-name>
            <url-pattern>/api/payments/own/*</url-pattern>
          </web-resource-collection>
          <auth-constraint><role-name>**</role-name></auth-constraint>
        </security-constraint>
        <login-config><auth-method>BASIC</auth-method></login-config>
      </web-app>
      """;

  @Inject Till till;
  @Inject Purse purse;
  @Inject MessageLookup lookup;

  static EnterpriseArchive application(TestApplication it) {
    return Archives.ear(
        it.service(),
        Archives.ejbModule(it.service(), Archives.settings(it), Purse.class, Clerk.class),
        Archives.webModule(
                it.service(),
                it.test(),
                HttpTests.class,
                Till.class,
                TillApplication.class,
                TillHeaders.class,
                Doorman.class,
                Usher.class,
                Tenants.class,
                Slips.class,
                Payments.class,
                Ledger.class,
                Journal.class,
                OutOfPaper.class,
                OutOfPaperMapper.class,
                Unwritable.class,
                Unwritable.Writer.class,
                Compressed.class,
                Compressor.class,
                TillClient.class,
                RetryingClient.class,
                CuttingProxy.class,
                CuttingProxy.Direction.class)
            .setWebXML(new StringAsset(LOGIN))
            .addAsLibrary(Archives.artifact("inbox-http"), "inbox-http.jar"));
  }

  @BeforeEach
  void useTheDatabase() throws SQLException, NamingException {
    purse.use(source());
  }

  @Test
  void aRepeatGetsTheFirstResponseAndTakesNoEffect() throws Exception {
    HttpResponse<String> first = post("201", key, body);
    HttpResponse<String> repeat = post("201", "\"" + key + "\"", body);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(UUID.fromString(first.body())).isNotNull();
    assertThat(repeat.statusCode()).isEqualTo(201);
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(repeat.headers().map().get("content-type"))
        .isEqualTo(first.headers().map().get("content-type"));
    assertThat(repeat.headers().map().get("location"))
        .isEqualTo(first.headers().map().get("location"))
        .isNotEmpty();
    assertThat(repeat.headers().allValues("X-Content-Type-Options"))
        .isEqualTo(first.headers().allValues("X-Content-Type-Options"))
        .hasSize(1);
    assertThat(repeat.headers().allValues("Link"))
        .isEqualTo(first.headers().allValues("Link"))
        .hasSize(2);
    assertThat(payments()).isEqualTo(1);
  }

  @Test
  void anotherRequestUnderTheKeyIsRefused() throws Exception {
    post("201", key, body);

    HttpResponse<String> refused = post("201", key, body + "!");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).containsPattern("Keys are remembered for [0-9]+[a-z ]");
    assertThat(refused.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(refused.headers().firstValue("Location")).isEmpty();
    assertThat(post("200", key, body).statusCode()).isEqualTo(422);
    assertThat(payments()).isEqualTo(1);
  }

  @Test
  void aSecondRequestIsRefusedWhileTheFirstRuns() throws Exception {
    till.hold(body);
    CompletableFuture<HttpResponse<String>> first = client.postLater("201", key, body);
    HttpResponse<String> second;
    try {
      till.awaitEntered(body);
      second = post("201", key, body);
    } finally {
      till.letGo(body);
    }

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(second.headers().firstValue("Retry-After")).contains("1");
    String given = first.get().body();
    assertThat(post("201", key, body).body()).isEqualTo(given);
    assertThat(payments()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\"", "\"open", "a b"})
  void aMalformedKeyIsRefused(String malformed) throws Exception {
    HttpResponse<String> refused = post("201", malformed, body);

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    assertThat(payments()).isZero();
  }

  @Test
  void aMissingKeyIsRefusedWhereItIsRequired() throws Exception {
    assertThat(post("201", "", body).statusCode()).isEqualTo(400);
    assertThat(payments()).isZero();

    assertThat(post("refusable/201", "", body).statusCode()).isEqualTo(201);
    assertThat(post("refusable/201", "", body).statusCode()).isEqualTo(201);
    assertThat(payments()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"503,503", "599,500", "409,409", "404,404"})
  void aFailureIsRolledBackAndNotRemembered(String path, int status) throws Exception {
    assertThat(post(path, key, body).statusCode()).isEqualTo(status);
    assertThat(payments()).isZero();

    assertThat(post("201", key, body).statusCode()).isEqualTo(201);
    assertThat(payments()).isEqualTo(1);
  }

  /** With remember4xx, too: only what a method returns is its response. */
  @ParameterizedTest
  @ValueSource(ints = {409, 404, 303, 202})
  void whatAMethodWroteBeforeItThrewIsRolledBack(int status) throws Exception {
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> response = post("slips/throwing/" + status, key, body);

      assertThat(response.statusCode()).isEqualTo(status);
      assertThat(response.headers().firstValue("Idempotent-Replayed")).isEmpty();
      assertThat(payments()).isZero();
    }
  }

  @Test
  void whatAMethodWroteWhoseResponseCannotBeWrittenIsRolledBack() throws Exception {
    assertThat(post("slips/unwritten", key, body).statusCode()).isEqualTo(422);
    assertThat(payments()).isZero();
  }

  @Test
  void aRepeatOfACompressedResponseIsReadable() throws Exception {
    HttpResponse<byte[]> first = client.bytes(compressed("gzip"));
    HttpResponse<byte[]> repeat = client.bytes(compressed("gzip"));
    HttpResponse<byte[]> plain = client.bytes(compressed("identity"));

    assertThat(gunzip(first.body())).startsWith("{\"number\":");
    assertThat(repeat.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(gunzip(repeat.body())).isEqualTo(gunzip(first.body()));
    assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(new String(plain.body(), StandardCharsets.UTF_8)).isEqualTo(gunzip(first.body()));
    for (HttpResponse<byte[]> each : List.of(repeat, plain)) {
      assertThat(each.headers().allValues("Idempotent-Replayed")).containsExactly("true");
      for (String header : List.of("Content-Type", "Vary", "X-Total")) {
        assertThat(each.headers().allValues(header))
            .as(header)
            .isEqualTo(first.headers().allValues(header))
            .hasSize(1);
      }
    }
    assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
    assertThat(payments()).isEqualTo(1);
  }

  private HttpRequest.Builder compressed(String accepted) {
    return client.request("slips/compressed", key, body).header("Accept-Encoding", accepted);
  }

  private static String gunzip(byte[] bytes) throws IOException {
    return new String(
        new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes(),
        StandardCharsets.UTF_8);
  }

  /** On the wire; a server may add the length of nothing by itself. */
  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void aResponseWithoutABodyIsAsTheServerSendsItWithoutTheInbox(int status) throws Exception {
    try (CuttingProxy proxy = new CuttingProxy(Integer.parseInt(Names.variable("http.port")))) {
      proxy.cutAfter(Direction.REQUEST, Long.MAX_VALUE);
      String plain = raw(proxy, "payments/slips/plain/" + status);
      String first = raw(proxy, "payments/slips/bodiless/" + status);
      String repeat = raw(proxy, "payments/slips/bodiless/" + status);

      assertThat(plain).startsWith("HTTP/1.1 " + status).endsWith("\r\n\r\n");
      assertThat(lines(first)).isEqualTo(lines(plain));
      assertThat(repeat).contains(MARK);
      assertThat(lines(repeat.replace(MARK, ""))).isEqualTo(lines(plain));
    }
  }

  private static Set<String> lines(String head) {
    return withoutDate(head).lines().collect(Collectors.toSet());
  }

  /** All that the server sends until it closes the connection. */
  private String raw(CuttingProxy proxy, String path) throws IOException {
    try (Socket socket = new Socket("localhost", proxy.port())) {
      socket
          .getOutputStream()
          .write(
              "POST /%s/api/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/plain\r\nIdempotency-Key: %s\r\nContent-Length: %s\r\n\r\n%s"
                  .formatted(application.service(), path, key, body.length(), body)
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void aMultipartRequestIsRepeatedWithAnotherBoundary() throws Exception {
    HttpResponse<String> first = client.send(parts("one", body, "rent"));
    HttpResponse<String> repeat = client.send(parts("----two", body, "rent"));
    HttpResponse<String> another = client.send(parts("----three", body, "food"));

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(repeat.statusCode()).isEqualTo(200);
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(another.statusCode()).isEqualTo(422);
    assertThat(payments()).isEqualTo(1);
    assertThat(payments("for-" + key + "-rent")).isEqualTo(1);
  }

  private HttpRequest.Builder parts(String boundary, String text, String purpose) {
    String content =
        "--%1$s\r\nContent-Disposition: form-data; name=\"body\"\r\nContent-Type: text/plain\r\n\r\n%2$s\r\n--%1$s\r\nContent-Disposition: form-data; name=\"for\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n%3$s\r\n--%1$s--\r\n"
            .formatted(boundary, text, "for-" + key + "-" + purpose);
    return client
        .request("slips/parts", key, content)
        .setHeader("Content-Type", "multipart/form-data; boundary=" + boundary);
  }

  @Test
  void aRefusalIsRememberedByChoice() throws Exception {
    HttpResponse<String> first = post("refusable/409", key, body);
    HttpResponse<String> repeat = post("refusable/409", key, body);

    assertThat(repeat.statusCode()).isEqualTo(409);
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(payments()).isEqualTo(1);
  }

  @Test
  void aResponseThatIsTooLongIsRolledBack() throws Exception {
    assertThat(post("refusable/202", key, body).statusCode()).isEqualTo(500);
    assertThat(payments()).isZero();
  }

  @Test
  void ofManyRequestsAtOnceOneTakesEffect() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> all =
        IntStream.range(0, 60).mapToObj(i -> client.postLater("201", key, body)).toList();
    Set<String> numbers = new HashSet<>();
    for (CompletableFuture<HttpResponse<String>> each : all) {
      HttpResponse<String> response = each.get();
      assertThat(response.statusCode()).isIn(201, 409);
      if (response.statusCode() == 201) {
        numbers.add(response.body());
      }
    }

    assertThat(numbers).hasSize(1);
    assertThat(payments()).isEqualTo(1);
  }

  /** The client sends all but the last so many bytes, and does not wait for the response. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 60, 100})
  void aRequestWhoseConnectionBreaksIsRepeatedWithoutASecondEffect(int missing) throws Exception {
    byte[] bytes =
        "POST /%s/api/payments/201 HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nIdempotency-Key: %s\r\nContent-Length: %s\r\n\r\n%s"
            .formatted(application.service(), key, body.length(), body)
            .getBytes(StandardCharsets.US_ASCII);
    try (Socket socket = new Socket("localhost", Integer.parseInt(Names.variable("http.port")))) {
      socket.getOutputStream().write(bytes, 0, bytes.length - missing);
      socket.getOutputStream().flush();
    }

    Awaitility.await()
        .untilAsserted(() -> assertThat(post("201", key, body).statusCode()).isEqualTo(201));
    assertThat(post("201", key, body).body()).isEqualTo(post("201", key, body).body());
    assertThat(payments()).isEqualTo(1);
  }

  @Test
  void queryAndContentTypeBelongToTheRequest() throws Exception {
    HttpResponse<String> first = post("201?account=a", key, body);

    assertThat(post("201?account=b", key, body).statusCode()).isEqualTo(422);
    assertThat(post("201", key, body).statusCode()).isEqualTo(422);
    assertThat(
            client
                .send(
                    client
                        .request("201?account=a", key, body)
                        .setHeader("Content-Type", "text/html"))
                .statusCode())
        .isEqualTo(422);
    assertThat(post("201?account=a", key, body).body()).isEqualTo(first.body());
    assertThat(payments()).isEqualTo(1);
  }

  @Test
  void theFieldsOfAFormBelongToTheRequest() throws Exception {
    HttpResponse<String> first = client.send(form("for=rent"));

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(client.send(form("for=food")).statusCode()).isEqualTo(422);
    assertThat(client.send(form("for=rent")).body()).isEqualTo(first.body());
    assertThat(payments()).isEqualTo(1);
  }

  private HttpRequest.Builder form(String field) {
    return client
        .request("form/fields", key, "body=" + body + "&" + field)
        .setHeader("Content-Type", "application/x-www-form-urlencoded");
  }

  @Test
  void eachUserHasKeysOfTheirOwn() throws Exception {
    HttpResponse<String> ada = client.send(as("ada"));
    HttpResponse<String> viewer = client.send(as("viewer"));

    assertThat(ada.statusCode()).isEqualTo(201);
    assertThat(viewer.statusCode()).isEqualTo(201);
    assertThat(viewer.body()).isNotEqualTo(ada.body());
    assertThat(client.send(as("ada")).body()).isEqualTo(ada.body());
    assertThat(client.send(as("viewer")).body()).isEqualTo(viewer.body());
    assertThat(post("own/201", key, body).statusCode()).as("nobody").isEqualTo(401);
    assertThat(payments()).isEqualTo(2);
  }

  private HttpRequest.Builder as(String user) {
    String login =
        Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.US_ASCII));
    return client.request("own/201", key, body).header("Authorization", "Basic " + login);
  }

  /** The container knows none of them. */
  @ParameterizedTest
  @ValueSource(strings = {"X-Doorman", "X-Usher"})
  void eachUserWhomAFilterOfTheApplicationKnowsHasKeysOfTheirOwn(String header) throws Exception {
    HttpResponse<String> ada = client.send(known().header(header, "ada"));
    HttpResponse<String> bob = client.send(known().header(header, "bob"));

    assertThat(ada.statusCode()).isEqualTo(201);
    assertThat(bob.statusCode()).isEqualTo(201);
    assertThat(bob.body()).isNotEqualTo(ada.body());
    assertThat(client.send(known().header(header, "ada")).body()).isEqualTo(ada.body());
    assertThat(payments()).isEqualTo(2);
    assertThat(client.send(known()).statusCode()).as("nobody").isEqualTo(403);
    assertThat(payments()).isEqualTo(2);
  }

  @Test
  void usersOfOneNameOfTwoTenantsHaveKeysOfTheirOwn() throws Exception {
    HttpResponse<String> red = client.send(admin("red"));
    assertThat(client.send(admin("blue")).body()).isNotEqualTo(red.body());
    assertThat(client.send(admin("red")).body()).isEqualTo(red.body());
    assertThat(payments()).isEqualTo(2);
  }

  private HttpRequest.Builder admin(String tenant) {
    return known().header("X-Doorman", "admin").header("X-Tenant", tenant);
  }

  private HttpRequest.Builder known() {
    return client.request("known/201", key, body);
  }

  @Test
  void methodsOfOneNameHaveKeysOfTheirOwn() throws Exception {
    assertThat(post("overloaded/text", key, body).statusCode()).isEqualTo(200);
    assertThat(post("overloaded/bytes", key, body).statusCode()).isEqualTo(200);
    assertThat(payments()).isEqualTo(2);
  }

  @Test
  void aMethodThatAClassInheritsIsIdempotentUnderTheKeysOfThatClass() throws Exception {
    HttpResponse<String> first = post("ledger/inherited", key, body);
    HttpResponse<String> repeat = post("ledger/inherited", key, body);
    HttpResponse<String> other = post("journal/inherited", key, body);

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(repeat.body()).isEqualTo(first.body());
    assertThat(other.statusCode()).isEqualTo(200);
    assertThat(payments()).isEqualTo(2);
  }

  @Test
  void aResponseOfUndoneWorkIsNotSent() throws Exception {
    HttpResponse<String> first = post("failing/undone", key, body);

    assertThat(first.statusCode()).isEqualTo(500);
    assertThat(first.body()).doesNotContain("paid").contains("Not committed");
    assertThat(first.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(payments()).isZero();
    assertThat(post("201", key, body).statusCode()).isEqualTo(201);
  }

  /** At each byte of the request, and at each byte of the response. */
  @Test
  void aClientWhoseConnectionBreaksAnywhereGetsTheAnswerOfTheOnlyEffect() throws Exception {
    int port = Integer.parseInt(Names.variable("http.port"));
    try (CuttingProxy proxy = new CuttingProxy(port)) {
      RetryingClient retrying = new RetryingClient(proxy.port(), application.service());
      proxy.cutAfter(Direction.REQUEST, Long.MAX_VALUE);
      retrying.post("201", UUID.randomUUID().toString(), UUID.randomUUID().toString());
      long request = proxy.requestBytes();
      int response = proxy.answered().length();
      assertThat(request).isBetween(200L, 500L);
      assertThat(response).isBetween(150, 700);

      for (int i = 0; i <= request; i++) {
        breakAt(Direction.REQUEST, i, proxy, retrying);
      }
      for (int i = 0; i < response; i++) {
        breakAt(Direction.RESPONSE, i, proxy, retrying);
      }
    }
  }

  private void breakAt(Direction direction, int after, CuttingProxy proxy, RetryingClient retrying)
      throws Exception {
    String which = direction + " cut after " + after;
    String ownKey = UUID.randomUUID().toString();
    String ownBody = UUID.randomUUID().toString();
    int cuts = proxy.cuts();
    proxy.cutAfter(direction, after);

    HttpResponse<String> answer = retrying.post("201", ownKey, ownBody);
    String brokenAndRepeated = proxy.answered();
    proxy.cutAfter(direction, Long.MAX_VALUE);
    retrying.post("201", ownKey, ownBody);
    String repeated = proxy.answered();

    assertThat(proxy.cuts()).as(which).isEqualTo(cuts + 1);
    assertThat(answer.statusCode()).as(which).isEqualTo(201);
    assertThat(payments(ownBody)).as(which).isEqualTo(1);
    int broken = direction == Direction.RESPONSE ? after : 0;
    String unmarked = repeated.replace(MARK, "");
    assertThat(repeated).as(which).contains(MARK);
    assertThat(withoutDate(brokenAndRepeated.substring(broken).replace(MARK, "")))
        .as(which)
        .isEqualTo(withoutDate(unmarked));
    assertThat(withoutDate(unmarked.substring(0, broken)))
        .as(which)
        .isEqualTo(withoutDate(brokenAndRepeated.substring(0, broken)));
  }

  private static String withoutDate(String response) {
    return response.replaceAll("Date: [^\r]*", "Date: ");
  }

  @Test
  void eachOutcomeIsCounted() throws Exception {
    post("201", key, body);
    Map<String, Double> before = counts();

    post("201", UUID.randomUUID().toString(), body);
    post("201", key, body);
    post("201", key, "another body");
    post("201", "", body);
    post("201", "a b", body);
    post("503", UUID.randomUUID().toString(), body);

    Map<String, Double> after = counts();
    for (String outcome :
        List.of("first", "repeated", "mismatch", "missing", "malformed", "undone")) {
      assertThat(after.get(outcome) - before.get(outcome)).as(outcome).isEqualTo(1);
    }
    assertThat(after).containsEntry("conflict", before.get("conflict"));
  }

  private Map<String, Double> counts() {
    List<String> metrics = Endpoint.metrics(Integer.parseInt(Names.variable("http.port")));
    Map<String, Double> counts = new TreeMap<>();
    for (String line :
        Endpoint.metric(
            metrics,
            "postbox_inbox_requests_total",
            "consumer=\"till\"",
            "service=\"%s\"".formatted(application.service()))) {
      counts.put(
          line.replaceAll(".*outcome=\"([a-z]+)\".*", "$1"),
          Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
    }
    return counts;
  }

  @Test
  void theLookupFindsARequestByItsKey() throws Exception {
    post("201", key, body);

    LookupPage<FoundMessage> found = lookup.find(LookupFilter.all().messageId(key), "", 10);
    assertThat(found.items()).hasSize(1);
    FoundMessage request = found.items().get(0);
    assertThat(request.consumer()).isEqualTo("till");
    assertThat(request.place()).isEqualTo(FoundMessage.Place.HANDLED);
    assertThat(request.headers().orElseThrow())
        .contains(
            "\"httpMethod\":\"POST\"",
            "/%s/api/payments/201".formatted(application.service()),
            "\"httpStatus\":\"201\"")
        .doesNotContain(body);
    assertThat(lookup.handled("till", request.messageId().orElseThrow())).contains(request);
    assertThat(lookup.find(LookupFilter.all().messageId(key + "0"), "", 10).items()).isEmpty();
  }

  HttpResponse<String> post(String path, String header, String text)
      throws IOException, InterruptedException {
    return client.post(path, header, text);
  }

  private int payments() throws SQLException, NamingException {
    return payments(body);
  }

  private int payments(String text) throws SQLException, NamingException {
    try (Connection connection = source().getConnection();
        PreparedStatement count =
            connection.prepareStatement("SELECT COUNT(*) FROM http_payment WHERE body = ?")) {
      count.setString(1, text);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private DataSource source() throws NamingException {
    return InitialContext.doLookup(application.dataSource());
  }
}
