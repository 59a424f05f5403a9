package io.postbox.common.server;

import io.postbox.common.platform.Platforms;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** The name under which an action of an operator goes on record. */
public final class CallerName {
  private static final String UNKNOWN = "unknown";

  private CallerName() {}

  /** The name of the caller's principal; {@code unknown} if no user is logged in. */
  public static String of(@Nullable Principal principal) {
    String name = principal == null ? null : principal.getName();
    return name == null || name.isBlank() || Platforms.isNobody(name) ? UNKNOWN : name;
  }
}
