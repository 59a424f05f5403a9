package io.postbox.console.http;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request may change something. A browser sends a person's credentials with the
 * requests of any page; so such a request must come from a page of the console, or from no page,
 * and have a header that a form cannot set.
 */
final class RequestPolicy {
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private RequestPolicy() {}

  /**
   * Looks at a request.
   *
   * @param method the request's
   * @param header {@code X-Postbox}
   * @param site {@code Sec-Fetch-Site}
   * @param origin {@code Origin}
   * @param host host and port that the request asks for, as {@code Host} writes them
   * @return empty if it is let in
   */
  static Optional<Problem> refusal(
      String method,
      @Nullable String header,
      @Nullable String site,
      @Nullable String origin,
      @Nullable String host) {
    if (SAFE.contains(method)) {
      return Optional.empty();
    }
    if (!isOwn(site, origin, host)) {
      return Optional.of(Problem.otherSite());
    }
    return "1".equals(header) ? Optional.empty() : Optional.of(Problem.headerMissing());
  }

  /** Every browser sends one or the other; a client that sends neither is no browser. */
  private static boolean isOwn(
      @Nullable String site, @Nullable String origin, @Nullable String host) {
    if (site != null) {
      return site.equals("same-origin");
    }
    return origin == null || (host != null && host.equalsIgnoreCase(authority(origin)));
  }

  /** Host and port as a browser writes them: without the port that a scheme has anyway. */
  static String authority(String scheme, String name, int port) {
    boolean implied = port == (scheme.equals("https") ? HTTPS_PORT : HTTP_PORT);
    return implied ? name : name + ":" + port;
  }

  private static @Nullable String authority(String origin) {
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority == null ? null : authority.toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException notAnAddress) {
      return null;
    }
  }
}
