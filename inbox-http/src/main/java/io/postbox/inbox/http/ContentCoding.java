package io.postbox.inbox.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * Makes a stored response readable for a client that asks in another way than the first one: what
 * the application has compressed is stored compressed.
 */
final class ContentCoding {
  private static final String HEADER = "Content-Encoding";

  /** A longer response is not decompressed, because it is kept in memory meanwhile. */
  private static final int LONGEST = 16 << 20;

  /** They are of the coded bytes. */
  private static final List<String> DIGESTS =
      List.of("Content-Digest", "Content-MD5", "Repr-Digest", "Digest");

  private ContentCoding() {}

  /**
   * The answer in a coding that the client takes.
   *
   * @param accepted the request's headers {@code Accept-Encoding}; without one the client may not
   *     know any coding
   */
  static Answer readable(Answer stored, List<String> accepted) {
    String coding = String.join(",", stored.headers().getOrDefault(HEADER, List.of())).strip();
    if (coding.isEmpty()
        || coding.equalsIgnoreCase("identity")
        || isAccepted(coding, String.join(",", accepted))) {
      return stored;
    }
    return decoded(stored, coding)
        .orElseGet(
            () ->
                Answer.problem(
                    406,
                    "Coding not accepted",
                    "The first request with this key was carried out; its response is stored with"
                        + " the Content-Encoding "
                        + coding.replaceAll("[^A-Za-z0-9, -]", "?")
                        + ". Repeat it with an Accept-Encoding that has it."));
  }

  private static Optional<Answer> decoded(Answer stored, String coding) {
    if (!isGzip(coding)) {
      return Optional.empty();
    }
    byte[] body;
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(stored.body()))) {
      body = in.readNBytes(LONGEST + 1);
    } catch (IOException notCompressedAtAll) {
      return Optional.empty();
    }
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(stored.headers());
    headers.remove(HEADER);
    DIGESTS.forEach(headers::remove);
    headers.computeIfPresent(
        "ETag", (name, tags) -> tags.stream().map(ContentCoding::weak).toList());
    return body.length > LONGEST
        ? Optional.empty()
        : Optional.of(new Answer(stored.fingerprint(), stored.status(), headers, body));
  }

  /** Says that other bytes with the same meaning have this tag, too. */
  private static String weak(String tag) {
    return tag.startsWith("W/") ? tag : "W/" + tag;
  }

  /** Whether a list of codings with weights has one, or has a star and does not refuse it. */
  private static boolean isAccepted(String coding, String list) {
    boolean byStar = false;
    for (String each : list.split(",", -1)) {
      String[] parts = each.toLowerCase(Locale.ROOT).split(";", -1);
      String name = parts[0].strip();
      boolean isTaken = parts.length < 2 || !parts[1].replace(" ", "").matches("q=0(\\.0*)?");
      if (name.equalsIgnoreCase(coding) || (isGzip(name) && isGzip(coding))) {
        return isTaken;
      }
      byStar |= isTaken && name.equals("*");
    }
    return byStar;
  }

  private static boolean isGzip(String coding) {
    return coding.equalsIgnoreCase("gzip") || coding.equalsIgnoreCase("x-gzip");
  }
}
