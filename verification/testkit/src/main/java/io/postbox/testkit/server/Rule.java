package io.postbox.testkit.server;

import java.nio.file.Path;

/**
 * A change to the bytecode of the server, in Byteman's terms.
 *
 * @param part the part that it belongs to; it has effect while that is armed
 * @param type the class
 * @param method the method of that class
 * @param where the place in it, such as {@code AT ENTRY}
 * @param condition when
 * @param action its effect, besides leaving a trace
 */
public record Rule(
    String part, String type, String method, String where, String condition, String action) {

  /** The exit code of a server that a rule has halted. */
  public static final int EXIT = 86;

  /**
   * As Byteman reads it.
   *
   * @param armed there while it has effect
   * @param hit made as soon as it has had an effect: a file, for no log is sure to be written when
   *     the next thing that happens is a crash
   */
  public String script(Path armed, Path hit) {
    return """
        RULE %s in %s.%s
        CLASS %s
        METHOD %s
        %s
        BIND armed: java.io.File = new java.io.File("%s");
             hit: java.io.File = new java.io.File("%s")
        IF armed.exists() AND (%s)
        DO hit.createNewFile(); %s
        ENDRULE
        """
        .formatted(part, type, method, type, method, where, armed, hit, condition, action);
  }
}
