package io.postbox.inbox.http;

import io.postbox.common.config.Durations;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.http.Exchange.Claimed;
import io.postbox.inbox.http.RunningRequests.RequestKey;
import io.postbox.inbox.http.RunningRequests.Turn;
import io.postbox.inbox.interceptor.RequestAnswers;
import io.postbox.inbox.interceptor.RequestAnswers.Claim;
import io.postbox.inbox.metrics.RequestOutcome;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Intercepted;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Claims the request's key before the method runs, or decides the response without it. */
@Idempotent("")
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 100) // before that of @Transactional
class IdempotentInterceptor {
  private static final RunningRequests RUNNING = new RunningRequests(100);

  /** How long one attempt waits for another node's transaction, with a connection. */
  private static final Duration ATTEMPT = Duration.ofMillis(50);

  /** How long it waits before the second attempt, without a connection. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** The outcome of a claim, and the answer if it is known. */
  private record Attempt(Claim claim, Optional<Answer> answer) {}

  @Inject RequestAnswers answers;
  @Inject UserTransaction transaction;
  @Inject ScopeBean scope;
  @Inject @Intercepted Bean<?> bean;

  @AroundInvoke
  @Nullable Object claim(InvocationContext invocation) throws Exception {
    Idempotent settings = IdempotentMethods.settings(bean.getBeanClass(), invocation.getMethod());
    Exchange exchange = Exchange.current();
    if (exchange == null) {
      throw new IllegalStateException(
          "An @Idempotent method was called outside of a request that passed the filter of"
              + " inbox-http. Put inbox-http.jar into WEB-INF/lib of the resource's module: "
              + invocation.getMethod());
    }
    exchange.reach();
    if (settings == null) {
      throw new IllegalStateException(
          IdempotentMethods.name(bean.getBeanClass(), invocation.getMethod())
              + " has an @Idempotent whose settings cannot be read. "
              + IdempotentMethods.WRITE_IT_THERE);
    }
    if (exchange.claimed() != null || (!exchange.hasKey() && !settings.required())) {
      return invocation
          .proceed(); // an inner call of the same request, or one that is not remembered
    }
    Optional<Answer> decided = decide(exchange, settings, invocation.getMethod());
    if (decided.isEmpty()) {
      return run(exchange, invocation);
    }
    exchange.decide(decided.get());
    return nothing(invocation.getMethod());
  }

  /** Runs the method in the transaction of its key, which an exception undoes. */
  private @Nullable Object run(Exchange exchange, InvocationContext invocation) throws Exception {
    boolean isReturning = false;
    try {
      Object result = invocation.proceed();
      isReturning = true;
      exchange.returned(IdempotentFeature.status(result));
      return result;
    } finally {
      if (!isReturning && transaction.getStatus() == Status.STATUS_ACTIVE) {
        transaction.setRollbackOnly(); // so that no mapper of exceptions believes it can write
      }
    }
  }

  /** The response, unless the method has to run, in the transaction that has begun then. */
  private Optional<Answer> decide(Exchange exchange, Idempotent settings, Method method)
      throws Exception {
    String consumer = settings.value();
    if (!exchange.hasKey()) {
      answers.count(consumer, RequestOutcome.MISSING);
      return Optional.of(
          Answer.problem(
              400, "Key missing", "This request needs an Idempotency-Key." + memory(consumer)));
    }
    List<String> values = headers(exchange, KeyHeader.NAME);
    Optional<String> key =
        values.size() == 1 ? KeyHeader.parse(values.get(0)) : Optional.<String>empty();
    if (key.isEmpty()) {
      answers.count(consumer, RequestOutcome.MALFORMED);
      return Optional.of(
          Answer.problem(
              400,
              "Key malformed",
              "Idempotency-Key has to be one key of 1 to 128 visible ASCII characters."
                  + memory(consumer)));
    }
    String caller = exchange.caller();
    if (caller == null && !settings.anonymous()) {
      HttpLog.anonymous(IdempotentMethods.name(bean.getBeanClass(), method));
      answers.count(consumer, RequestOutcome.ANONYMOUS);
      return Optional.of(
          Answer.problem(
              403,
              "Caller unknown",
              "An Idempotency-Key belongs to its caller, and this request names none. Nothing was"
                  + " done."));
    }
    if (transaction.getStatus() != Status.STATUS_NO_TRANSACTION) {
      throw new IllegalStateException(
          "An @Idempotent method was called within a transaction, which the response's could not"
              + " be: "
              + method);
    }
    return claim(exchange, settings, id(key.get(), caller, exchange, method));
  }

  /**
   * Claims an id for the request. While it waits for another request, it holds no connection.
   *
   * @return the response, if the request is not the first
   */
  private Optional<Answer> claim(Exchange exchange, Idempotent settings, String id)
      throws Exception {
    String consumer = settings.value();
    Duration patience = Duration.ofMillis(settings.waitMillis());
    long deadline = System.nanoTime() + patience.toNanos();
    Turn turn = RUNNING.await(new RequestKey(consumer, id), patience);
    if (turn == null) {
      return Optional.of(conflict(consumer));
    }
    exchange.take(turn);
    String fingerprint = exchange.request().fingerprint();
    try {
      answers.prepare();
      Duration pause = PAUSE;
      while (true) {
        Attempt attempt = begin(exchange, settings, id, fingerprint);
        if (attempt.claim() != Claim.RUNNING) {
          return attempt.answer();
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return Optional.of(conflict(consumer));
        }
        TimeUnit.NANOSECONDS.sleep(Math.min(left, pause.toNanos()));
        pause = pause.multipliedBy(2);
      }
    } catch (InboxException failed) {
      HttpLog.unavailable(consumer, failed);
      answers.count(consumer, RequestOutcome.UNAVAILABLE);
      return Optional.of(
          Answer.problem(
              503,
              "Inbox unavailable",
              "Nothing was done. The request may be repeated with the same Idempotency-Key."));
    }
  }

  private Answer conflict(String consumer) {
    answers.count(consumer, RequestOutcome.CONFLICT);
    return Answer.problem(409, "Request running", "The first request with this key still runs.");
  }

  /** Begins the request's transaction, which goes on only if the request is the first. */
  private Attempt begin(Exchange exchange, Idempotent settings, String id, String fingerprint)
      throws Exception {
    String consumer = settings.value();
    transaction.begin();
    boolean claimed = false;
    try {
      Claim claim = answers.claim(consumer, id, ATTEMPT);
      if (claim == Claim.FIRST) {
        exchange.claim(
            new Claimed(
                transaction,
                settings,
                fingerprint,
                answer ->
                    answers.keep(
                        consumer,
                        id,
                        answer.toText(),
                        exchange.request().getMethod(),
                        exchange.request().getRequestURI(),
                        answer.status()),
                outcome -> answers.count(consumer, outcome)));
        claimed = true;
      }
      if (claim == Claim.KNOWN) {
        exchange.known();
        List<String> accepted = headers(exchange, "Accept-Encoding");
        return new Attempt(claim, Optional.of(repeated(consumer, id, fingerprint, accepted)));
      }
      return new Attempt(claim, Optional.empty());
    } finally {
      if (!claimed) {
        transaction.rollback();
      }
    }
  }

  private Answer repeated(String consumer, String id, String fingerprint, List<String> accepted) {
    Optional<String> kept = answers.answer(consumer, id);
    if (kept.isEmpty()) { // an operator had it erased
      answers.count(consumer, RequestOutcome.REPEATED);
      return Answer.problem(
          410,
          "Response erased",
          "The first request with this key was carried out; its response is no longer stored.");
    }
    Optional<Answer> stored =
        kept.map(Answer::parse).filter(answer -> answer.fingerprint().equals(fingerprint));
    answers.count(consumer, stored.isPresent() ? RequestOutcome.REPEATED : RequestOutcome.MISMATCH);
    return stored
        .map(answer -> ContentCoding.readable(answer.replayed(), accepted))
        .orElseGet(
            () ->
                Answer.problem(
                    422,
                    "Key used before",
                    "This key belongs to another request; use a new one." + memory(consumer)));
  }

  /** For how long a key is taken, as the draft asks servers to publish. */
  private String memory(String consumer) {
    Duration time = answers.retention(consumer);
    boolean inDays = time.toDays() > 1 && time.equals(Duration.ofDays(time.toDays()));
    return " Keys are remembered for %s."
        .formatted(inDays ? time.toDays() + " days" : Durations.text(time));
  }

  /**
   * Returned in the method's place; the filter sends the answer. An exception would go through the
   * application's mappers, and the server logs its stack.
   */
  private static @Nullable Object nothing(Method method) {
    Class<?> type = method.getReturnType();
    return type.isPrimitive() && type != void.class
        ? Array.get(Array.newInstance(type, 1), 0)
        : null;
  }

  private static List<String> headers(Exchange exchange, String name) {
    return Collections.list(exchange.request().getHeaders(name));
  }

  /** The key, readable for operators, and a digest of whose and which method's it is. */
  private String id(String key, @Nullable String caller, Exchange exchange, Method method) {
    List<@Nullable String> whose = new ArrayList<>();
    whose.add(caller);
    String more = scope.of(exchange.request());
    if (more != null) {
      whose.add(more);
    }
    whose.add(bean.getBeanClass().getName());
    whose.add(method.getName());
    whose.add(
        Stream.of(method.getParameterTypes()).map(Class::getName).collect(Collectors.joining(",")));
    return key + " " + DigestingRequest.sha256(whose.toArray(String[]::new)).substring(0, 32);
  }
}
