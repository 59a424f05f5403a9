package io.postbox.common.ops;

import io.postbox.common.EditPreview.Content;
import io.postbox.common.MessageEdit;
import io.postbox.common.text.Digests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The plan of an edit, as its row has it: not the change, which whoever carries it out sends again,
 * but a digest of it, under a key that its owner alone has. So nobody can try guesses of a body
 * with a copy of the table.
 */
public final class PlannedEdit {
  private PlannedEdit() {}

  /**
   * A key for one edit of a content.
   *
   * @param state identifies the content as it is
   */
  public static String key(String state) {
    String secret = UUID.randomUUID().toString();
    return secret + "." + digest(secret, state);
  }

  /** Whether the content is still the one for which the key was made. */
  public static boolean isStill(String state, String key) {
    int dot = key.indexOf('.');
    return dot > 0 && key.substring(dot + 1).equals(digest(key.substring(0, dot), state));
  }

  /**
   * The plan in a row.
   *
   * @param key its owner's
   * @param message its id
   * @param edit the change
   */
  public static String of(String key, String message, MessageEdit edit) {
    StringBuilder change = new StringBuilder();
    add(change, message);
    add(change, edit.text().map(it -> "text " + it).orElse(""));
    add(change, edit.bytes().map(it -> "bytes " + HexFormat.of().formatHex(it)).orElse(""));
    add(change, String.valueOf(edit.properties().isPresent()));
    new TreeMap<>(edit.properties().orElse(Map.of()))
        .forEach(
            (name, value) -> {
              add(change, name);
              add(change, value.getClass().getName());
              add(change, value.toString());
            });
    return "edit " + digest(key, change.toString());
  }

  /**
   * A content by its measures.
   *
   * @param type of the body
   * @param body if there is one
   * @param properties their names
   */
  public static Content measured(String type, Optional<ByteBuffer> body, List<String> properties) {
    return new Content(
        type,
        body.map(it -> (long) it.remaining()).orElse(0L),
        body.map(
            it -> {
              MessageDigest digest = Digests.sha256();
              digest.update(it.duplicate());
              return HexFormat.of().formatHex(digest.digest());
            }),
        properties);
  }

  /** With its length, so that no two changes are one text. */
  private static void add(StringBuilder change, String part) {
    change.append(part.length()).append(':').append(part);
  }

  private static String digest(String key, String text) {
    return HexFormat.of()
        .formatHex(
            Digests.hmac(
                key.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8)));
  }
}
