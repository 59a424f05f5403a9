package io.postbox.inbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.metrics.RequestOutcome;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.interceptor.InvocationContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.SecurityContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filter and interceptor together, with a server between them that maps exceptions. */
class IdempotentRequestsTest {
  private final FakeInbox inbox = new FakeInbox();
  private final IdempotentInterceptor interceptor = new IdempotentInterceptor();
  private final IdempotencyFilter filter = new IdempotencyFilter();
  private final AtomicReference<@Nullable IdempotencyScope> tenants = new AtomicReference<>();

  /** Whom the container knows. */
  private @Nullable String caller;

  /** What JAX-RS calls last before a method; empty if something else calls the method. */
  private Optional<ContainerRequestContext> resource = Optional.empty();

  IdempotentRequestsTest() {
    interceptor.answers = inbox;
    interceptor.transaction = inbox;
    interceptor.bean = bean(Till.class);
    interceptor.scope = new ScopeBean(tenants::get);
  }

  /** What a method does, and what the server writes then. */
  private interface Work {
    @Nullable Object run() throws Exception;
  }

  /** What a server makes of what a method returned or threw. */
  private interface Server {
    void respond(HttpServletResponse response, @Nullable Exception thrown) throws IOException;
  }

  static class Till {
    @Idempotent(value = "till", headers = "X-Total", anonymous = true)
    public void pay() {}

    @Idempotent(value = "till", remember4xx = true, anonymous = true)
    public void refuse() {}

    @Idempotent("till")
    public void payOwn() {}
  }

  static Bean<?> bean(Class<?> type) {
    return (Bean<?>)
        Proxy.newProxyInstance(
            IdempotentRequestsTest.class.getClassLoader(),
            new Class<?>[] {Bean.class},
            (self, asked, with) -> type);
  }

  private static Method method(String name) {
    return Stream.of(Till.class.getDeclaredMethods())
        .filter(it -> it.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private SentResponse post(GivenRequest request, String method, Work work, Server server)
      throws IOException, ServletException {
    SentResponse sent = new SentResponse();
    filter.doFilter(
        request.request(),
        sent.response(),
        (to, from) -> {
          Exception thrown = null;
          if (resource.isPresent()) {
            witness(method(method)).filter(resource.get());
          }
          try {
            interceptor.claim(call(method(method), work));
          } catch (Exception it) {
            thrown = it;
          }
          server.respond((HttpServletResponse) from, thrown);
        });
    return sent;
  }

  private static ContainerRequestFilter witness(Method method) {
    ResourceInfo info =
        proxy(
            ResourceInfo.class,
            asked -> asked.equals("getResourceMethod") ? method : method.getDeclaringClass());
    List<ContainerRequestFilter> registered = new ArrayList<>();
    new IdempotentFeature()
        .configure(
            info,
            (FeatureContext)
                Proxy.newProxyInstance(
                    IdempotentRequestsTest.class.getClassLoader(),
                    new Class<?>[] {FeatureContext.class},
                    (self, asked, with) -> {
                      registered.add((ContainerRequestFilter) with[0]);
                      return self;
                    }));
    return registered.get(0);
  }

  private static <T> T proxy(Class<T> type, Function<String, @Nullable Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            IdempotentRequestsTest.class.getClassLoader(),
            new Class<?>[] {type},
            (self, asked, with) -> answer.apply(asked.getName())));
  }

  /** Has a filter of JAX-RS say who calls; nobody, if the name is null. */
  private void callsAs(@Nullable String name) {
    Principal principal = name == null ? null : () -> name;
    SecurityContext security = proxy(SecurityContext.class, asked -> principal);
    resource =
        Optional.of(
            proxy(
                ContainerRequestContext.class,
                asked -> asked.equals("getSecurityContext") ? security : null));
  }

  private static InvocationContext call(Method method, Work work) {
    return (InvocationContext)
        Proxy.newProxyInstance(
            IdempotentRequestsTest.class.getClassLoader(),
            new Class<?>[] {InvocationContext.class},
            (self, asked, with) -> asked.getName().equals("proceed") ? work.run() : method);
  }

  private GivenRequest request() {
    return new GivenRequest("text/plain", "3.50".getBytes(StandardCharsets.UTF_8))
        .as(caller)
        .header("Idempotency-Key", "k");
  }

  private static Server status(int status) {
    return (response, thrown) -> {
      response.setStatus(status);
      response.getOutputStream().write("said".getBytes(StandardCharsets.UTF_8));
    };
  }

  /** 409 of an exception of JAX-RS, 303 of a redirection, 200 of a mapper. */
  @ParameterizedTest
  @CsvSource({"refuse,409", "pay,303", "pay,200", "refuse,422"})
  void whatAMethodWroteBeforeItThrewIsRolledBackWhateverItsExceptionIsMappedTo(
      String method, int status) throws Exception {
    SentResponse sent =
        post(
            request(),
            method,
            () -> {
              inbox.write("paid");
              throw new IllegalStateException("out of stock");
            },
            status(status));

    assertThat(inbox.effects).isEmpty();
    assertThat(sent.status).isEqualTo(status);
    assertThat(sent.read()).isEqualTo("said");
    assertThat(inbox.outcomes).containsExactly(RequestOutcome.UNDONE);
  }

  @Test
  void aRefusalSaysForHowManyDaysKeysAreRemembered() throws Exception {
    GivenRequest without = new GivenRequest("text/plain", new byte[0]);

    SentResponse sent = post(without, "pay", this::pay, status(200));

    assertThat(sent.status).isEqualTo(400);
    assertThat(sent.read()).contains("Keys are remembered for 7 days.");
  }

  /** The exception of a writer, or of a filter for responses, which a mapper made a refusal. */
  @Test
  void aRefusalThatTheMethodDidNotReturnIsRolledBack() throws Exception {
    SentResponse sent = post(request(), "refuse", this::pay, status(422));

    assertThat(inbox.effects).isEmpty();
    assertThat(sent.status).isEqualTo(422);
    assertThat(inbox.outcomes).containsExactly(RequestOutcome.UNDONE);
  }

  private @Nullable Object pay() {
    inbox.write("paid");
    return null;
  }

  private static Server compressed(String text) {
    return (response, thrown) -> {
      response.setStatus(201);
      response.setContentType("application/json");
      response.setHeader("Content-Encoding", "gzip");
      response.setHeader("Content-Language", "en");
      response.setHeader("Content-Digest", "sha-256=:AA==:");
      response.addHeader("Vary", "Origin");
      response.addHeader("Vary", "Accept-Encoding");
      response.setHeader("Expires", "0");
      response.setHeader("X-Total", "7");
      response.setHeader("X-Trace", "first");
      response.setHeader("Set-Cookie", "a=b");
      response.getOutputStream().write(gzip(text));
    };
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  /** What the server writes on a repeat, where the method has returned nothing. */
  private static Server nothing() {
    return (response, thrown) -> {
      response.setStatus(204);
      response.setHeader("X-Trace", "repeat");
      response.setHeader("Content-Security-Policy", "default-src 'none'");
    };
  }

  @Test
  void aRepeatHasTheHeadersThatItsRepresentationNeedsAndThoseThatTheMethodNames() throws Exception {
    SentResponse first =
        post(request().header("Accept-Encoding", "gzip"), "pay", this::pay, compressed("{}"));
    SentResponse repeat =
        post(request().header("Accept-Encoding", "br, gzip"), "pay", this::pay, nothing());

    assertThat(inbox.effects).containsExactly("paid");
    assertThat(repeat.status).isEqualTo(201);
    assertThat(repeat.read()).isEqualTo(first.read()).isEqualTo("{}");
    for (String name :
        List.of(
            "Content-Type",
            "Content-Encoding",
            "Content-Language",
            "Content-Digest",
            "Content-Length",
            "Vary",
            "Expires",
            "X-Total")) {
      assertThat(repeat.headers.get(name)).as(name).isEqualTo(first.headers.get(name)).isNotEmpty();
    }
    assertThat(repeat.header("X-Trace")).as("each response's own").isEqualTo("repeat");
    assertThat(repeat.headers)
        .containsKey("Content-Security-Policy")
        .doesNotContainKey("Set-Cookie");
  }

  @Test
  void aRepeatIsMarkedAsOne() throws Exception {
    SentResponse first = post(request(), "pay", this::pay, status(200));
    SentResponse repeat = post(request(), "pay", this::pay, nothing());
    SentResponse refused =
        post(
            new GivenRequest("text/plain", new byte[] {1}).header("Idempotency-Key", "k"),
            "pay",
            this::pay,
            nothing());

    assertThat(first.headers).doesNotContainKey("Idempotent-Replayed");
    assertThat(repeat.headers.get("Idempotent-Replayed")).containsExactly("true");
    assertThat(refused.status).isEqualTo(422);
    assertThat(refused.headers)
        .doesNotContainKey("Idempotent-Replayed")
        .containsKeys("X-Trace", "Content-Security-Policy");
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "br", "gzip;q=0", "gzip; Q=0.000, *", "", "*;q=0"})
  void aCompressedRepeatIsReadableForAClientThatTakesNoCompression(String accepted)
      throws Exception {
    post(
        request().header("Accept-Encoding", "gzip"),
        "pay",
        this::pay,
        (response, thrown) -> {
          response.setHeader("ETag", "\"7\"");
          compressed("a€").respond(response, thrown);
        });

    SentResponse repeat =
        post(request().header("Accept-Encoding", accepted), "pay", this::pay, nothing());

    assertThat(repeat.headers).doesNotContainKeys("Content-Encoding", "Content-Digest");
    assertThat(repeat.header("ETag")).as("not that of the compressed bytes").isEqualTo("W/\"7\"");
    assertThat(repeat.read()).isEqualTo("a€");
    assertThat(repeat.header("Content-Length")).isEqualTo("4");
    assertThat(repeat.headers.get("Vary")).containsExactly("Origin", "Accept-Encoding");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "deflate, GZIP;q=0.5", "*", "br;q=1, *;q=0.1"})
  void aClientThatTakesTheCompressionGetsTheStoredBytes(String accepted) throws Exception {
    SentResponse first =
        post(request().header("Accept-Encoding", "gzip"), "pay", this::pay, compressed("{}"));

    SentResponse repeat =
        post(request().header("Accept-Encoding", accepted), "pay", this::pay, nothing());

    assertThat(repeat.body.toByteArray()).isEqualTo(first.body.toByteArray());
    assertThat(repeat.header("Content-Encoding")).isEqualTo("gzip");
  }

  @Test
  void aRepeatInACodingThatTheClientDoesNotTakeAndNobodyCanUndoIsRefused() throws Exception {
    post(
        request(),
        "pay",
        this::pay,
        (response, thrown) -> {
          response.setHeader("Content-Encoding", "br");
          response.getOutputStream().write(1);
        });

    SentResponse repeat =
        post(request().header("Accept-Encoding", "gzip"), "pay", this::pay, nothing());

    assertThat(repeat.status).isEqualTo(406);
    assertThat(repeat.headers).doesNotContainKey("Idempotent-Replayed");
    assertThat(repeat.read()).contains("carried out").contains("br");
    assertThat(inbox.effects).containsExactly("paid");
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void aResponseThatHasNoBodyHasNoLength(int status) throws Exception {
    SentResponse first =
        post(request(), "pay", this::pay, (response, thrown) -> response.setStatus(status));
    SentResponse repeat = post(request(), "pay", this::pay, nothing());

    assertThat(List.of(first.status, repeat.status)).containsOnly(status);
    assertThat(first.headers).doesNotContainKey("Content-Length");
    assertThat(repeat.headers).doesNotContainKey("Content-Length");
  }

  private SentResponse payOwn() throws Exception {
    return post(
        request(),
        "payOwn",
        this::pay,
        (response, thrown) -> {
          response.setStatus(200);
          response
              .getOutputStream()
              .write(String.valueOf(inbox.effects.size()).getBytes(StandardCharsets.UTF_8));
        });
  }

  /** Neither the container nor the outermost request knows them. */
  @Test
  void callersWhomAFilterOfTheApplicationKnowsHaveKeysOfTheirOwn() throws Exception {
    callsAs("ada");
    SentResponse first = payOwn();
    callsAs("bob");
    SentResponse other = payOwn();
    callsAs("ada");
    SentResponse repeat = payOwn();

    assertThat(inbox.effects).hasSize(2);
    assertThat(other.headers).doesNotContainKey("Idempotent-Replayed");
    assertThat(repeat.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(repeat.read()).isEqualTo(first.read()).isNotEqualTo(other.read());
  }

  /** A key that anybody could send again has no owner. */
  @ParameterizedTest
  @NullAndEmptySource
  void withoutACallerNothingIsDone(@Nullable String name) throws Exception {
    callsAs(name);
    SentResponse refused = payOwn();
    assertThat(refused.status).isEqualTo(403);
    assertThat(refused.read()).contains("its caller");
    assertThat(inbox.effects).isEmpty();
    assertThat(inbox.outcomes).containsExactly(RequestOutcome.ANONYMOUS);

    resource = Optional.empty(); // a servlet calls the method
    assertThat(payOwn().status).isEqualTo(403);
    assertThat(post(request(), "pay", this::pay, status(200)).status).isEqualTo(200);
  }

  @Test
  void withoutJaxRsTheContainersCallerCounts() throws Exception {
    caller = "ada";
    payOwn();
    caller = "bob";
    payOwn();
    payOwn();
    assertThat(inbox.effects).hasSize(2);
  }

  @Test
  void usersOfOneNameOfTwoTenantsHaveKeysOfTheirOwn() throws Exception {
    tenants.set(request -> request.getHeader("X-Tenant"));
    callsAs("admin");
    for (String tenant : List.of("red", "blue", "red", "blue")) {
      post(request().header("X-Tenant", tenant), "payOwn", this::pay, status(200));
    }
    assertThat(inbox.effects).hasSize(2);

    tenants.set(request -> "");
    payOwn();
    assertThat(inbox.effects).hasSize(3);
    callsAs(null);
    assertThat(payOwn().status).as("a tenant is no caller").isEqualTo(403);
  }
}
