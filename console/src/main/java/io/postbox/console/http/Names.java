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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;

/**
 * Names and ids that people and other systems choose. As part of a path they are written with
 * letters, digits, {@code - _ .} as they are, and every other octet, as well as a dot in front, as
 * {@code ~} and two hexadecimal digits: servers refuse an encoded slash, backslash or number sign.
 */
public final class Names {
  /** An octet; without its digits it cannot be read. */
  private static final Pattern ESCAPE = Pattern.compile("~([0-9A-Fa-f]{2})?");

  private static final int LONGEST = 100;

  private Names() {}

  /** The name that a part of a path means. Characters that need not be escaped may be plain. */
  public static String decoded(String part) {
    Matcher escapes = ESCAPE.matcher(part);
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    int at = 0;
    while (escapes.find()) {
      if (escapes.group(1) == null) {
        throw unreadable();
      }
      octets.writeBytes(part.substring(at, escapes.start()).getBytes(StandardCharsets.UTF_8));
      octets.write(HexFormat.fromHexDigits(escapes.group(1)));
      at = escapes.end();
    }
    octets.writeBytes(part.substring(at).getBytes(StandardCharsets.UTF_8));
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
