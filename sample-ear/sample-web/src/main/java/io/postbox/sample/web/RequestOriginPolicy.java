package io.postbox.sample.web;

import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests get in. A browser sends the requests of any page, so the sample changes
 * nothing for the page of another site. Somebody else's host name that resolves to this server
 * would make such a page one of this site, so the sample answers only to its own names. It answers
 * to addresses too, since nobody can point those elsewhere.
 */
final class RequestOriginPolicy {
  private static final Set<String> CHANGE_NOTHING = Set.of("GET", "HEAD", "OPTIONS");
  private static final Set<String> OWN = Set.of("same-origin", "none");

  /**
   * A host, which is a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port.
   */
  private static final Pattern AUTHORITY =
      Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?");

  private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[.*]");

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final Set<String> names;

  /**
   * @param names the server's, without ports
   */
  RequestOriginPolicy(Collection<String> names) {
    this.names =
        names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  /**
   * Why a request is turned away.
   *
   * @param status the answer's
   * @param sentence the mistake and the remedy
   */
  record Refusal(int status, String sentence) {}

  /**
   * Looks at a request.
   *
   * @param method the request's
   * @param host its header {@code Host}
   * @param origin its header {@code Origin}
   * @param site its header {@code Sec-Fetch-Site}
   * @return empty if it is let in
   */
  Optional<Refusal> refusal(
      String method, @Nullable String host, @Nullable String origin, @Nullable String site) {
    if (host == null || !isOurs(host)) {
      return Optional.of(
          new Refusal(
              421,
              "This server does not answer to that name. Use localhost or its address, or name it in"
                  + " sample.hosts"));
    }
    if (CHANGE_NOTHING.contains(method) || isFromOwnPage(host, origin, site)) {
      return Optional.empty();
    }
    return Optional.of(
        new Refusal(403, "The page of another site asked for this; nothing was changed."));
  }

  private boolean isOurs(String host) {
    var parts = AUTHORITY.matcher(host);
    return parts.matches()
        && (ADDRESS.matcher(parts.group(1)).matches()
            || names.contains(parts.group(1).toLowerCase(Locale.ROOT)));
  }

  /** Every browser sends one or the other; a client that sends neither is no browser. */
  private static boolean isFromOwnPage(
      String host, @Nullable String origin, @Nullable String site) {
    if (site != null) {
      return OWN.contains(site);
    }
    return origin == null || host.equalsIgnoreCase(authority(origin));
  }

  /** As a browser writes it: without the port that a scheme has anyway. */
  static String authority(String scheme, String name, int port) {
    boolean isImplied = port == (scheme.equals("https") ? HTTPS_PORT : HTTP_PORT);
    return isImplied ? name : name + ":" + port;
  }

  private static @Nullable String authority(String origin) {
    try {
      return URI.create(origin).getRawAuthority();
    } catch (IllegalArgumentException notAnAddress) {
      return null;
    }
  }
}
