package io.postbox.inbox.http;

import io.postbox.inbox.http.Exchange.Claimed;
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
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Ends the transaction that {@link IdempotentInterceptor} began, after the server has written the
 * response into memory and before the first byte is sent.
 */
public final class IdempotencyFilter extends HttpFilter {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = System.getLogger("io.postbox.inbox.http");

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Exchange exchange = new Exchange(new DigestingRequest(request), new BufferedResponse(response));
    if (!exchange.hasKey()) {
      Exchange.set(exchange);
      try {
        chain.doFilter(request, response);
      } finally {
        Exchange.set(null);
      }
      return;
    }
    try {
      run(exchange, chain);
    } catch (SystemException failed) {
      throw new ServletException("The request's transaction could not be ended.", failed);
    }
  }

  private static void run(Exchange exchange, FilterChain chain)
      throws IOException, ServletException, SystemException {
    Exchange.set(exchange);
    boolean returned = false;
    try {
      chain.doFilter(exchange.request(), exchange.response());
      returned = true;
    } finally {
      Exchange.set(null);
      if (!returned) {
        exchange.rollBack();
      }
    }
    Claimed claimed = exchange.claimed();
    Answer decided = exchange.decided();
    if (decided != null) {
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
    Answer answer = response.answer(claimed.fingerprint());
    if (response.isTooLong()) {
      exchange.rollBack();
      LOG.log(
          Level.ERROR,
          "The response of an @Idempotent method is longer than its maxResponseBytes={0}, so its transaction was rolled back and the client got 500. Raise that limit or shorten the response.",
          claimed.settings().maxResponseBytes());
      response.replace(
          Answer.problem(500, "Response too long", "Nothing was changed by this request."));
    } else if (!isRemembered(answer.status(), claimed.settings())) {
      exchange.rollBack();
      response.send(answer.body());
    } else if (claimed.transaction().getStatus() != Status.STATUS_ACTIVE
        && answer.status() >= 400) {
      exchange.rollBack();
      response.send(answer.body());
    } else if (commits(claimed, answer)) {
      response.send(answer.body());
    } else {
      response.replace(
          Answer.problem(
              500, "Not committed", "The request may be repeated with the same Idempotency-Key."));
    }
  }

  private static boolean isRemembered(int status, Idempotent settings) {
    return status < 400 || (status < 500 && settings.remember4xx());
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
      LOG.log(
          Level.ERROR,
          "The transaction of an @Idempotent method did not commit, so the client got 500 and may repeat the request.",
          failed);
      return false;
    }
  }
}
