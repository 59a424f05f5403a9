package io.postbox.inbox.http;

import io.postbox.inbox.http.Exchange.Claimed;
import io.postbox.inbox.interceptor.RequestAnswers;
import io.postbox.inbox.interceptor.RequestAnswers.Claim;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.Method;
import java.security.Principal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Claims the request's key before the method runs, or decides the response without it. */
@Idempotent("")
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 100) // before that of @Transactional
class IdempotentInterceptor {
  @Inject RequestAnswers answers;
  @Inject UserTransaction transaction;

  @AroundInvoke
  Object claim(InvocationContext invocation) throws Exception {
    Idempotent settings = settings(invocation.getMethod());
    Exchange exchange = Exchange.current();
    if (exchange == null) {
      throw new IllegalStateException(
          "An @Idempotent method was called outside of a request that passed the filter of inbox-http. Put inbox-http.jar into WEB-INF/lib of the resource's module: "
              + invocation.getMethod());
    }
    if (!exchange.hasKey()) {
      if (settings.required()) {
        throw new WebApplicationException(
            Response.status(400)
                .type("application/problem+json")
                .entity(
                    Answer.problem(400, "Key missing", "This request needs an Idempotency-Key.")
                        .body())
                .build());
      }
      return invocation.proceed();
    }
    if (exchange.claimed() != null || exchange.decided() != null) {
      return invocation.proceed(); // an inner call of the same request
    }
    List<String> values = List.copyOf(headers(exchange));
    Optional<String> key =
        values.size() == 1 ? KeyHeader.parse(values.get(0)) : Optional.<String>empty();
    if (key.isEmpty()) {
      throw decide(
          exchange,
          Answer.problem(
              400,
              "Key malformed",
              "Idempotency-Key has to be one key of 1 to 128 visible ASCII characters."));
    }
    if (transaction.getStatus() != Status.STATUS_NO_TRANSACTION) {
      throw new IllegalStateException(
          "An @Idempotent method was called within a transaction, which the response's could not be: "
              + invocation.getMethod());
    }
    answers.prepare();
    begin(exchange, settings, id(key.get(), exchange, invocation.getMethod()));
    return invocation.proceed();
  }

  private void begin(Exchange exchange, Idempotent settings, String id) throws Exception {
    String fingerprint = exchange.request().fingerprint();
    transaction.begin();
    boolean claimed = false;
    try {
      Claim claim = answers.claim(settings.value(), id, Duration.ofMillis(settings.waitMillis()));
      if (claim == Claim.FIRST) {
        exchange.claim(
            new Claimed(
                transaction,
                settings,
                fingerprint,
                answer -> answers.keep(settings.value(), id, answer.toText())));
        claimed = true;
      } else {
        throw decide(
            exchange,
            claim == Claim.RUNNING
                ? Answer.problem(
                    409, "Request running", "The first request with this key still runs.")
                : repeated(settings.value(), id, fingerprint));
      }
    } finally {
      if (!claimed) {
        transaction.rollback();
      }
    }
  }

  private Answer repeated(String consumer, String id, String fingerprint) {
    return answers
        .answer(consumer, id)
        .map(Answer::parse)
        .filter(answer -> answer.fingerprint().equals(fingerprint))
        .orElseGet(
            () ->
                Answer.problem(
                    422, "Key used before", "This key belongs to another request; use a new one."));
  }

  /** Ends the resource method's call; the filter sends the answer, whatever this is mapped to. */
  private static WebApplicationException decide(Exchange exchange, Answer answer) {
    exchange.decide(answer);
    return new WebApplicationException(Response.noContent().build());
  }

  private static List<String> headers(Exchange exchange) {
    return Collections.list(exchange.request().getHeaders(KeyHeader.NAME));
  }

  /** The key, readable for operators, and a digest of whose and which method's it is. */
  private static String id(String key, Exchange exchange, Method method) {
    Principal caller = exchange.request().getUserPrincipal();
    String scope =
        DigestingRequest.sha256(
            caller == null ? null : caller.getName(),
            method.getDeclaringClass().getName(),
            method.getName());
    return key + " " + scope.substring(0, 32);
  }

  private static Idempotent settings(Method method) {
    Idempotent own = method.getAnnotation(Idempotent.class);
    return own != null ? own : method.getDeclaringClass().getAnnotation(Idempotent.class);
  }
}
