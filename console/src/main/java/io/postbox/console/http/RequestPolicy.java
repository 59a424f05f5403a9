package io.postbox.console.http;

import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests get in. A browser sends a person's credentials with the requests of any
 * page; so the API answers no page of another site, and what changes something also needs a header
 * that a form cannot set. Somebody else's host name that leads here would make their page one of
 * this site, so the console answers to names that it knows; and to addresses, since nobody can
 * point those elsewhere.
 */
final class RequestPolicy {
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  /** A host, which is a name, an IPv4 address or an IPv6 address in brackets, and its port. */
  private static final Pattern AUTHORITY =
      Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?");

  private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[.*]");

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final Set<String> names;

  /**
   * @param names by which the console is asked beside its addresses and localhost, without ports
   */
  RequestPolicy(Collection<String> names) {
    this.names =
        Stream.concat(Stream.of("localhost"), names.stream())
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
  }

  /**
   * Looks at a request.
   *
   * @param method the request's
   * @param api whether it asks the API, and not for a file of the pages, to which any site may link
   * @param header {@code X-Postbox}
   * @param site {@code Sec-Fetch-Site}
   * @param origin {@code Origin}
   * @param host host and port that the request asks for, as {@code Host} writes them
   * @return empty if it is let in
   */
  Optional<Problem> refusal(
      String method,
      boolean api,
      @Nullable String header,
      @Nullable String site,
      @Nullable String origin,
      @Nullable String host) {
    if (host == null || !isOurs(host)) {
      return Optional.of(Problem.otherHost());
    }
    boolean safe = isSafe(method);
    if ((api || !safe) && !isOwn(safe, site, origin, host)) {
      return Optional.of(Problem.otherSite());
    }
    return safe || "1".equals(header) ? Optional.empty() : Optional.of(Problem.headerMissing());
  }

  /** Whether requests of a method change nothing. */
  static boolean isSafe(String method) {
    return SAFE.contains(method);
  }

  private boolean isOurs(String host) {
    Matcher parts = AUTHORITY.matcher(host);
    return parts.matches()
        && (ADDRESS.matcher(parts.group(1)).matches()
            || names.contains(parts.group(1).toLowerCase(Locale.ROOT)));
  }

  /** Every browser sends one or the other; a client that sends neither is no browser. */
  private static boolean isOwn(
      boolean safe, @Nullable String site, @Nullable String origin, String host) {
    if (site != null) {
      return site.equals("same-origin") || (safe && site.equals("none")); // an address typed in
    }
    return origin == null || host.equalsIgnoreCase(authority(origin));
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
