package io.postbox.inbox.http;

import io.postbox.common.text.Digests;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The digest of a request's body, taken while it is read. Of a multipart body, whose boundary is
 * another one each time it is sent, the pieces between the boundaries are digested. A piece is
 * whatever lies between two occurrences of the delimiter, so that nothing but the boundary itself
 * can differ without a difference in the digest, however the method's own parser reads the body.
 */
final class BodyDigest {
  private final MessageDigest piece = Digests.sha256();
  private final @Nullable MessageDigest pieces;
  private final byte[] delimiter;

  /** For each number of matched bytes: how many the longest shorter match has. */
  private final int[] shorter;

  private int matched;
  private boolean hasBytes;

  /**
   * A content type with the boundary of a multipart body.
   *
   * @param withoutBoundary the type and its other parameters
   * @param boundary 1 to 70 characters
   */
  record Multipart(String withoutBoundary, String boundary) {
    /** As RFC 2046 has it. A parser may understand anything else in its own way. */
    private static final Pattern BOUNDARY =
        Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");

    private static final int LONGEST = 1_000;

    /** That of a content type; empty if it is none, or if parsers may see different boundaries. */
    static Optional<Multipart> of(@Nullable String contentType) {
      if (contentType == null
          || !contentType.regionMatches(true, 0, "multipart/", 0, 10)
          || contentType.length() > LONGEST
          || contentType.indexOf('\\') >= 0) {
        return Optional.empty();
      }
      List<String> others = new ArrayList<>();
      String boundary = null;
      for (String parameter : parameters(contentType)) {
        if (!parameter.regionMatches(true, 0, "boundary=", 0, 9)) {
          others.add(parameter);
        } else if (boundary == null) {
          boundary = unquoted(parameter.substring(9));
        } else {
          return Optional.empty();
        }
      }
      return boundary != null && BOUNDARY.matcher(boundary).matches()
          ? Optional.of(new Multipart(String.join("; ", others), boundary))
          : Optional.empty();
    }

    /** The type and its parameters. A quotation that does not end is part of one. */
    private static List<String> parameters(String contentType) {
      List<String> found = new ArrayList<>();
      boolean isQuoted = false;
      int from = 0;
      for (int at = 0; at < contentType.length(); at++) {
        isQuoted ^= contentType.charAt(at) == '"';
        if (contentType.charAt(at) == ';' && !isQuoted) {
          found.add(contentType.substring(from, at).strip());
          from = at + 1;
        }
      }
      found.add(contentType.substring(from).strip());
      return found;
    }

    private static String unquoted(String value) {
      return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
          ? value.substring(1, value.length() - 1)
          : value;
    }
  }

  BodyDigest(Optional<Multipart> type) {
    pieces = type.isPresent() ? Digests.sha256() : null;
    delimiter =
        type.map(it -> ("--" + it.boundary()).getBytes(StandardCharsets.US_ASCII))
            .orElse(new byte[0]);
    shorter = new int[delimiter.length + 1];
    for (int i = 1, same = 0; i < delimiter.length; i++) {
      while (same > 0 && delimiter[i] != delimiter[same]) {
        same = shorter[same];
      }
      same += delimiter[i] == delimiter[same] ? 1 : 0;
      shorter[i + 1] = same;
    }
  }

  boolean hasBytes() {
    return hasBytes;
  }

  void update(byte[] bytes, int offset, int length) {
    hasBytes |= length > 0;
    if (pieces == null) {
      piece.update(bytes, offset, length);
      return;
    }
    int end = offset + length;
    int from = offset;
    for (int at = offset; at < end; at++) {
      byte octet = bytes[at];
      if (matched == 0 && octet != delimiter[0]) {
        continue; // digested with what follows
      }
      if (matched == 0) {
        piece.update(bytes, from, at - from);
      }
      match(octet, pieces);
      from = at + 1;
    }
    piece.update(bytes, from, end - from);
  }

  private void match(byte octet, MessageDigest all) {
    while (matched > 0 && octet != delimiter[matched]) {
      piece.update(delimiter, 0, matched - shorter[matched]); // no delimiter began there
      matched = shorter[matched];
    }
    if (octet == delimiter[matched]) {
      matched++;
    } else {
      piece.update(octet);
    }
    if (matched == delimiter.length) {
      all.update(piece.digest());
      matched = 0;
    }
  }

  /** The digest, in hexadecimal. Nothing may be added after it. */
  String end() {
    piece.update(delimiter, 0, matched);
    if (pieces == null) {
      return HexFormat.of().formatHex(piece.digest());
    }
    pieces.update(piece.digest());
    return HexFormat.of().formatHex(pieces.digest());
  }
}
