package io.postbox.common.log;

import io.postbox.common.text.Digests;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The same for all failures of one cause: a hash over the class of the innermost exception, its
 * message without ids and numbers, and the place in the application where it was thrown. It reveals
 * nothing of a message's content, so it is stored in the clear, to search and group by.
 */
public final class Signature {
  /** How many characters a signature has, all of them hexadecimal digits. */
  public static final int LENGTH = 32;

  private static final int LONGEST_MESSAGE = 500;

  /** Ids of many kinds: UUIDs, hexadecimal numbers, words with digits in them, numbers. */
  private static final Pattern VARYING =
      Pattern.compile("0[xX][0-9a-fA-F]+|[\\p{L}\\p{N}_-]*\\p{N}[\\p{L}\\p{N}_-]*");

  private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");
  private static final Pattern SEVERAL =
      Pattern.compile("\\?(?:[\\s.,:;/+-]*\\?)+"); // 1,000.50 is as much one number as 7
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
          "com.ibm.",
          "io.openliberty.",
          "org.jboss.",
          "org.wildfly.",
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
    Throwable first = Causes.of(thrown).reduce(thrown, (before, next) -> next);
    String message = first.getMessage();
    return hash(
        first.getClass().getName(), message == null ? "" : normalised(message), place(thrown));
  }

  /** The signature of a failure that is known by its text alone. */
  public static String of(String text) {
    return hash("", normalised(text), "");
  }

  /** A message without the parts that differ between failures of the same cause. */
  static String normalised(String message) {
    String text =
        message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message;
    text = QUOTED.matcher(text).replaceAll("?");
    text = VARYING.matcher(text).replaceAll("?");
    text = SEVERAL.matcher(text).replaceAll("?");
    return BLANKS.matcher(text).replaceAll(" ").strip();
  }

  /**
   * The innermost call of the application, without its line, so that it outlives changes of the
   * file. The innermost exception whose stack has one counts.
   */
  private static String place(Throwable thrown) {
    List<Throwable> causes = Causes.of(thrown).toList();
    for (int i = causes.size() - 1; i >= 0; i--) {
      @Nullable String found =
          Arrays.stream(causes.get(i).getStackTrace())
              .filter(Signature::isApplications)
              .map(Signature::name)
              .findFirst()
              .orElse(null);
      if (found != null) {
        return found;
      }
    }
    return "";
  }

  private static boolean isApplications(StackTraceElement frame) {
    return NOT_THE_APPLICATION.stream().noneMatch(frame.getClassName()::startsWith);
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
