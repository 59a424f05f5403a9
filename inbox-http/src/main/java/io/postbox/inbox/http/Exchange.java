package io.postbox.inbox.http;

import io.postbox.inbox.http.RunningRequests.Turn;
import io.postbox.inbox.metrics.RequestOutcome;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.security.Principal;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request from the filter's entry to its exit, on one thread. The interceptor within it either
 * opens a transaction or decides the response.
 */
final class Exchange {
  private static final ThreadLocal<@Nullable Exchange> CURRENT = new ThreadLocal<>();

  /** In the place of the status of a method that returned none. */
  private static final int THREW = 500;

  private final DigestingRequest request;
  private final BufferedResponse response;
  private Supplier<@Nullable Principal> caller;
  private @Nullable Claimed claimed;
  private @Nullable Answer decided;
  private @Nullable Turn turn;
  private boolean isKnown;
  private boolean isReached;
  private int returned = THREW;

  /**
   * A request that runs for the first time.
   *
   * @param transaction its transaction, begun
   * @param settings those of the method
   * @param fingerprint the request's
   * @param keep stores the answer in the transaction
   * @param count counts what the request came to
   */
  record Claimed(
      UserTransaction transaction,
      Idempotent settings,
      String fingerprint,
      Consumer<Answer> keep,
      Consumer<RequestOutcome> count) {}

  Exchange(DigestingRequest request, BufferedResponse response) {
    this.request = request;
    this.response = response;
    caller = request::getUserPrincipal;
  }

  static @Nullable Exchange current() {
    return CURRENT.get();
  }

  static void set(@Nullable Exchange exchange) {
    if (exchange == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(exchange);
    }
  }

  DigestingRequest request() {
    return request;
  }

  BufferedResponse response() {
    return response;
  }

  /** There from when the method runs for the first time. */
  @Nullable Claimed claimed() {
    return claimed;
  }

  @Nullable Answer decided() {
    return decided;
  }

  void claim(Claimed first) {
    claimed = first;
    response.buffer(first.settings().maxResponseBytes());
  }

  void decide(Answer answer) {
    decided = answer;
    response.buffer(0);
  }

  /** Says who calls, as a resource sees it. */
  void calledBy(Supplier<@Nullable Principal> seen) {
    caller = seen;
  }

  /**
   * The name of the caller as the method sees it, or {@code null}. Filters of the application,
   * within this one, may have put their own principal into the place of the container's.
   */
  @Nullable String caller() {
    Principal seen = caller.get();
    String name = seen == null ? null : seen.getName();
    return name == null || name.isEmpty() ? null : name;
  }

  /** The request has come to the interceptor. */
  void reach() {
    isReached = true;
  }

  boolean isReached() {
    return isReached;
  }

  /** The method has returned a response with this status. */
  void returned(int status) {
    returned = status;
  }

  /** The status that the method returned, or a server error if it threw. */
  int returned() {
    return returned;
  }

  /** Lets other requests with the id wait until this one has ended. */
  void take(Turn own) {
    turn = own;
  }

  /** The request's id has a committed row. */
  void known() {
    isKnown = true;
  }

  /** Lets the requests that wait for this one go on. Its transaction has ended. */
  void end() {
    if (turn != null) {
      turn.end(isKnown);
    }
  }

  /** Whether the request has a key. */
  boolean hasKey() {
    return request.getHeader(KeyHeader.NAME) != null;
  }

  /** Rolls the transaction back, if there is one and it has not ended. */
  void rollBack() throws SystemException {
    if (claimed != null && claimed.transaction().getStatus() != Status.STATUS_NO_TRANSACTION) {
      claimed.transaction().rollback();
    }
  }
}
