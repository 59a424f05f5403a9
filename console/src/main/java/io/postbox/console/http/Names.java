package io.postbox.console.http;

import io.postbox.common.config.Spelling;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.config.Config;

/**
 * Names and ids that people and other systems choose. As part of a path they are written with
 * letters, digits, {@code - _ .} as they are, and every other octet, as well as a dot in front, as
 * {@code ~} and two hexadecimal digits: servers refuse an encoded slash, backslash or number sign.
 */
public final class Names {
  private static final char ESCAPE = '~';
  private static final int LONGEST = 100;

  private Names() {}

  /** The name that a part of a path means. Characters that need not be escaped may be plain. */
  public static String decoded(String part) {
    if (part.indexOf(ESCAPE) < 0) {
      return part;
    }
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    int at = 0;
    while (at < part.length()) {
      int escape = part.indexOf(ESCAPE, at);
      int end = escape < 0 ? part.length() : escape;
      octets.writeBytes(part.substring(at, end).getBytes(StandardCharsets.UTF_8));
      at = end;
      if (escape >= 0) {
        if (escape + 3 > part.length()
            || !HexFormat.isHexDigit(part.charAt(escape + 1))
            || !HexFormat.isHexDigit(part.charAt(escape + 2))) {
          throw unreadable();
        }
        octets.write(HexFormat.fromHexDigits(part, escape + 1, escape + 3));
        at = escape + 3;
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(octets.toByteArray()))
          .toString();
    } catch (CharacterCodingException noText) {
      throw unreadable();
    }
  }

  private static Problem unreadable() {
    return Problem.invalid(
        "A name in this address cannot be read; nothing was changed.",
        "Write each octet of its UTF-8 that is no letter, digit, - _ or . as ~ and two"
            + " hexadecimal digits, ~2f for a slash.");
  }

  /**
   * The names for which the configuration has keys.
   *
   * @param prefix of the keys, up to the name
   */
  public static Set<String> configured(Config config, String prefix) {
    Set<String> names = new TreeSet<>();
    for (String key : config.getPropertyNames()) {
      int end = key.startsWith(prefix) ? key.indexOf('.', prefix.length()) : -1;
      if (end > prefix.length()) {
        names.add(key.substring(prefix.length(), end));
      }
    }
    return names;
  }

  /**
   * The problem of a name that nobody has.
   *
   * @param what it would be the name of
   * @param known those that there are
   * @param wayOut where to find those
   */
  public static Problem unknown(String what, String name, Collection<String> known, String wayOut) {
    return Problem.invalid(
        "There is no %s %s; nothing was changed.".formatted(what, Fields.quoted(name)),
        Optional.of(name)
                .filter(it -> it.length() <= LONGEST)
                .flatMap(it -> Spelling.nearest(it, known))
                .map(near -> "Did you mean %s? ".formatted(Fields.quoted(near)))
                .orElse("")
            + wayOut);
  }
}
