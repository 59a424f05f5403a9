package io.postbox.inbox.http;

import io.postbox.inbox.http.Exchange.Claimed;
import io.postbox.inbox.metrics.RequestOutcome;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import java.io.IOException;

/**
 * Ends the transaction that {@link IdempotentInterceptor} began, after the server has written the
 * response into memory and before the first byte is sent.
 */
public final class IdempotencyFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Exchange exchange = new Exchange(new DigestingRequest(request), new BufferedResponse(response));
    try {
      run(exchange, chain);
    } catch (SystemException failed) {
      throw new ServletException("The request's transaction could not be ended.", failed);
    } finally {
      exchange.end();
    }
  }

  private static void run(Exchange exchange, FilterChain chain)
      throws IOException, ServletException, SystemException {
    Exchange.set(exchange);
    boolean returned = false;
    try {
      chain.doFilter(
          exchange.hasKey() ? exchange.request() : exchange.request().getRequest(),
          exchange.response());
      returned = true;
    } finally {
      Exchange.set(null);
      if (!returned) {
        undo(exchange);
      }
    }
    Claimed claimed = exchange.claimed();
    Answer decided = exchange.decided();
    if (decided != null) {
      exchange.end();
      exchange.response().replace(decided);
    } else if (claimed != null) {
      try {
        finish(exchange, claimed);
      } finally {
        exchange.rollBack();
      }
    }
  }

  private static void finish(Exchange exchange, Claimed claimed)
      throws IOException, SystemException {
    BufferedResponse response = exchange.response();
    Answer answer = response.answer(claimed.fingerprint(), claimed.settings().headers());
    if (response.isTooLong()) {
      undo(exchange);
      HttpLog.tooLong(claimed.settings().value(), claimed.settings().maxResponseBytes());
      response.replace(
          Answer.problem(500, "Response too long", "Nothing was changed by this request."));
    } else if (!isRemembered(answer.status(), exchange.returned(), claimed.settings())
        || (claimed.transaction().getStatus() != Status.STATUS_ACTIVE && answer.status() >= 400)) {
      undo(exchange);
      response.send(answer.body());
    } else if (commits(claimed, answer)) {
      exchange.known();
      exchange.end();
      claimed.count().accept(RequestOutcome.FIRST);
      response.send(answer.body());
    } else {
      undo(exchange);
      response.replace(
          Answer.problem(
              500, "Not committed", "The request may be repeated with the same Idempotency-Key."));
    }
  }

  /**
   * Rolls back what the request did, and lets those that wait for it go on: a slow client must not
   * keep them waiting.
   */
  private static void undo(Exchange exchange) throws SystemException {
    exchange.rollBack();
    exchange.end();
    Claimed claimed = exchange.claimed();
    if (claimed != null) {
      claimed.count().accept(RequestOutcome.UNDONE);
    }
  }

  /**
   * The method decides: what it threw, or refused by its own response, is undone whatever a mapper
   * or a filter made of it, and a refusal that it did not return is the failure of what followed.
   */
  private static boolean isRemembered(int sent, int returned, Idempotent settings) {
    int worse = Math.max(sent, returned);
    return worse < 400 || (worse < 500 && returned >= 400 && settings.remember4xx());
  }

  /** A failed commit is the client's 500; it must not see the response of undone work. */
  private static boolean commits(Claimed claimed, Answer answer) throws SystemException {
    try {
      claimed.keep().accept(answer);
      claimed.transaction().commit();
      return true;
    } catch (RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException
        | RuntimeException failed) {
      HttpLog.notCommitted(claimed.settings().value(), failed);
      return false;
    }
  }
}
