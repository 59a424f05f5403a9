package io.postbox.common.log;

import io.postbox.common.platform.Platforms;
import io.postbox.common.text.Digests;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The same for all failures of one cause: a hash over the class of the innermost exception, its
 * message without ids and numbers, and the place in the application where it was thrown. It reveals
 * nothing of a message's content, so it is stored in the clear, to search and group by.
 */
public final class Signature {
  /** How many characters a signature has, all of them hexadecimal digits. */
  public static final int LENGTH = 32;

  private static final int LONGEST_MESSAGE = 500;

  /** Varying parts may be long, so more is read than counts in the end. */
  private static final int LONGEST_READ = 8 * LONGEST_MESSAGE;

  /** Times as {@code Date.toString} and HTTP have them: their names of months and days vary too. */
  private static final Pattern DATE =
      Pattern.compile(
          "\\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\\d{1,2}[ -])?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
              + "[ -]\\d{1,4}\\b(?:[ -]\\d{4}\\b(?!:))?(?: \\d\\d:\\d\\d(?::\\d\\d)?(?: [A-Z]{3,4}\\b)?)?(?: \\d{4}\\b)?");

  /** A digit in it makes a word an id: a UUID, a hexadecimal or other number. */
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_-]++");

  private static final Pattern DIGIT = Pattern.compile("\\p{N}");

  /** Hexadecimal digits without a decimal one among them. */
  private static final Pattern HEX = Pattern.compile("[a-f]{16,}|[A-F]{16,}");

  private static final Pattern QUOTED =
      Pattern.compile(
          "'[^']*'|\"[^\"]*\"|`[^`]*`|\u2018[^\u2019]*\u2019|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb");

  private static final Pattern SEVERAL =
      Pattern.compile("\\?[\\s.,:;/+?-]*\\?"); // 1,000.50 is as much one number as 7
  private static final Pattern BLANKS = Pattern.compile("[\\p{Space}\\p{IsControl}]+");

  /**
   * The names of classes and methods generated at run time contain numbers that change with each
   * start.
   */
  private static final Pattern GENERATED = Pattern.compile("[$_]+[\\w$]*|\\d+|/0x[0-9a-f]+");

  private static final List<String> NOT_THE_APPLICATION =
      List.of(
          "java.",
          "javax.",
          "jakarta.",
          "jdk.",
          "sun.",
          "com.sun.",
          "org.eclipse.persistence.",
          "org.hibernate.",
          "org.postgresql.",
          "org.h2.",
          "org.apache.activemq.",
          "io.postbox.common.",
          "io.postbox.inbox.",
          "io.postbox.outbox.");

  private Signature() {}

  /** The signature of an exception: that of its innermost cause, because wrappers vary. */
  public static String of(Throwable thrown) {
    return of(root(thrown), frame(thrown));
  }

  /**
   * The signature of an exception whose innermost cause and innermost call of the application are
   * known. The line of the call does not count, so that the signature outlives changes of the file.
   */
  static String of(Throwable root, Optional<StackTraceElement> frame) {
    String message = root.getMessage();
    return hash(
        root.getClass().getName(),
        message == null ? "" : normalised(message),
        frame.map(Signature::name).orElse(""));
  }

  /** The innermost cause of an exception, or the exception itself. */
  static Throwable root(Throwable thrown) {
    return Causes.of(thrown).reduce(thrown, (before, next) -> next);
  }

  /** The signature of a failure that is known by its text alone. */
  public static String of(String text) {
    return hash("", normalised(text), "");
  }

  /** A message without the parts that differ between failures of the same cause. */
  static String normalised(String message) {
    String text = beginning(message, LONGEST_READ);
    text = QUOTED.matcher(text).replaceAll("?");
    text = DATE.matcher(text).replaceAll("?");
    text = WORD.matcher(text).replaceAll(word -> isVarying(word.group()) ? "?" : word.group());
    text = SEVERAL.matcher(text).replaceAll("?");
    text = BLANKS.matcher(text).replaceAll(" ").strip();
    return beginning(text, LONGEST_MESSAGE);
  }

  private static String beginning(String text, int longest) {
    return text.length() > longest ? text.substring(0, longest) : text;
  }

  private static boolean isVarying(String word) {
    return DIGIT.matcher(word).find() || HEX.matcher(word).matches();
  }

  /**
   * The innermost call of the application: not the Java platform's, the server's, a driver's or
   * Postbox's. The innermost exception whose stack has one counts.
   */
  static Optional<StackTraceElement> frame(Throwable thrown) {
    List<Throwable> causes = Causes.of(thrown).toList();
    for (int i = causes.size() - 1; i >= 0; i--) {
      Optional<StackTraceElement> found =
          Arrays.stream(causes.get(i).getStackTrace())
              .filter(Signature::isApplications)
              .findFirst();
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static boolean isApplications(StackTraceElement frame) {
    return !Platforms.isServers(frame.getClassName())
        && NOT_THE_APPLICATION.stream().noneMatch(frame.getClassName()::startsWith);
  }

  private static String name(StackTraceElement frame) {
    return GENERATED.matcher(frame.getClassName() + "#" + frame.getMethodName()).replaceAll("");
  }

  private static String hash(String... parts) {
    MessageDigest digest = Digests.sha256();
    for (String part : parts) {
      digest.update(part.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
  }
}
