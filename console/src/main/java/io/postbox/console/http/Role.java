package io.postbox.console.http;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/** The rights of a person. Every role may also see what a viewer sees. */
public enum Role {
  /** Sees everything but payloads, and changes nothing. */
  VIEWER,
  /** Pauses, resumes, redirects, redrives and discards. */
  OPERATOR,
  /** Sees payloads. */
  PAYLOAD,
  /** Changes messages. */
  EDITOR,
  /** Erases personal data, for good. */
  ERASER;

  /** As web.xml names it. */
  public String roleName() {
    return "postbox-" + shortName();
  }

  /** As the API names it. */
  public String shortName() {
    return Words.of(this);
  }

  /**
   * The roles of somebody.
   *
   * @param isIn whether the server says that the person is in a role of this name
   */
  public static Set<Role> of(Predicate<String> isIn) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (Role role : values()) {
      if (isIn.test(role.roleName())) {
        roles.add(role);
      }
    }
    if (!roles.isEmpty()) {
      roles.add(VIEWER);
    }
    return roles;
  }
}
