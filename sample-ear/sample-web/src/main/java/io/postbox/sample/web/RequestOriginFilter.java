package io.postbox.sample.web;

import io.postbox.sample.web.RequestOriginPolicy.Refusal;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Has the {@link RequestOriginPolicy} look at every request. */
@WebFilter("/*")
public class RequestOriginFilter implements Filter {
  /** By which names the server is asked, beside its addresses: with commas between them. */
  @Inject
  @ConfigProperty(name = "sample.hosts", defaultValue = "localhost")
  Set<String> hosts;

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer) {
      Optional<Refusal> refusal =
          new RequestOriginPolicy(hosts)
              .refusal(
                  http.getMethod(),
                  host(http),
                  http.getHeader("Origin"),
                  http.getHeader("Sec-Fetch-Site"));
      if (refusal.isPresent()) {
        refuse(answer, refusal.get());
        return;
      }
    }
    chain.doFilter(request, response);
  }

  /**
   * HTTP/2, which browsers speak wherever there is TLS, has a pseudo-header in the place of Host.
   */
  private static @Nullable String host(HttpServletRequest request) {
    String host = request.getHeader("Host");
    return host == null && request.getProtocol().startsWith("HTTP/2")
        ? RequestOriginPolicy.authority(
            request.getScheme(), request.getServerName(), request.getServerPort())
        : host;
  }

  private static void refuse(HttpServletResponse answer, Refusal refusal) throws IOException {
    answer.setStatus(refusal.status());
    answer.setContentType("application/json");
    answer.setCharacterEncoding("UTF-8");
    answer
        .getWriter()
        .print(Json.createObjectBuilder().add("error", refusal.sentence()).build().toString());
  }
}
