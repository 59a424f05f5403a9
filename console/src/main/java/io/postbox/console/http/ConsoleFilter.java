package io.postbox.console.http;

import jakarta.inject.Inject;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees every request of the console: sets the headers of every answer, and refuses everybody while
 * the console is off, requests under other names and of other sites' pages, and whoever the server
 * does not know.
 *
 * <p>web.xml has the server refuse strangers before that. This asks again, because a server without
 * its security feature refuses nobody.
 */
@WebFilter(
    urlPatterns = "/*",
    dispatcherTypes = {DispatcherType.REQUEST, DispatcherType.ERROR, DispatcherType.FORWARD})
public class ConsoleFilter implements Filter {
  /** Nothing is loaded from elsewhere, and no code but the console's own files runs. */
  static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src"
          + " 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final Set<String> READS = Set.of("GET", "HEAD");

  /** How long a read waits for its turn. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Reads reads = new Reads(PATIENCE);

  @Inject ConsoleSettings settings;

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!(request instanceof HttpServletRequest http)
        || !(response instanceof HttpServletResponse answer)) {
      throw new ServletException("The console speaks HTTP");
    }
    headers(answer);
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      chain.doFilter(request, response); // refused already
      return;
    }
    Optional<Problem> refusal = refusal(http);
    if (refusal.isPresent()) {
      send(answer, refusal.get());
    } else if (asksTheApi(http) && READS.contains(http.getMethod())) {
      read(http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void read(HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    String person = request.getUserPrincipal().getName();
    Optional<Problem> refusal;
    try {
      refusal = reads.begin(person);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      refusal = Optional.of(Problem.busy());
    }
    if (refusal.isPresent()) {
      answer.setHeader("Retry-After", String.valueOf(PATIENCE.toSeconds()));
      send(answer, refusal.get());
      return;
    }
    try {
      chain.doFilter(request, answer);
    } finally {
      reads.end(person);
    }
  }

  private static boolean asksTheApi(HttpServletRequest request) {
    return (request.getServletPath() + "/").startsWith("/api/");
  }

  private static void headers(HttpServletResponse answer) {
    answer.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    answer.setHeader("X-Content-Type-Options", "nosniff");
    answer.setHeader("Referrer-Policy", "no-referrer");
    answer.setHeader("X-Frame-Options", "DENY");
    answer.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    answer.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    answer.setHeader("Cache-Control", "no-store");
  }

  private Optional<Problem> refusal(HttpServletRequest request) {
    if (!settings.enabled()) {
      return Optional.of(Problem.off());
    }
    Optional<Problem> refusal =
        settings
            .requests()
            .refusal(
                request.getMethod(),
                asksTheApi(request),
                request.getHeader("X-Postbox"),
                request.getHeader("Sec-Fetch-Site"),
                request.getHeader("Origin"),
                host(request));
    if (refusal.isPresent()) {
      return refusal;
    }
    if (request.getUserPrincipal() == null) {
      return Optional.of(Problem.unauthenticated());
    }
    return Role.of(request::isUserInRole).isEmpty()
        ? Optional.of(Problem.ofStatus(HttpServletResponse.SC_FORBIDDEN))
        : Optional.empty();
  }

  /** HTTP/2 has a pseudo-header in the place of Host. */
  private static @Nullable String host(HttpServletRequest request) {
    String host = request.getHeader("Host");
    return host == null && request.getProtocol().startsWith("HTTP/2")
        ? RequestPolicy.authority(
            request.getScheme(), request.getServerName(), request.getServerPort())
        : host;
  }

  static void send(HttpServletResponse answer, Problem problem) throws IOException {
    answer.setStatus(problem.status());
    answer.setContentType(Problem.MEDIA_TYPE);
    answer.getOutputStream().write(problem.json().toString().getBytes(StandardCharsets.UTF_8));
  }
}
