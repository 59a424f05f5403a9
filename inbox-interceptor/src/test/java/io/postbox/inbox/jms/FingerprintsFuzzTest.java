package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.testing.Draws;
import io.postbox.inbox.message.Fingerprint;
import jakarta.jms.Message;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two bodies have one fingerprint if they are the same, and only then. */
class FingerprintsFuzzTest {

  /**
   * A body.
   *
   * @param kind T, B, M, S, O or N
   * @param values one of a text or bytes; names and values in turn of a map
   */
  private record Body(char kind, List<@Nullable Object> values) {

    FakeMessage message() {
      return switch (kind) {
        case 'T' -> FakeMessage.text((String) values.get(0));
        case 'B' -> FakeMessage.bytes((byte[]) values.get(0));
        case 'M' -> FakeMessage.map(entries());
        case 'S' -> FakeMessage.stream(values.toArray());
        case 'O' -> FakeMessage.object();
        default -> FakeMessage.none();
      };
    }

    Map<String, @Nullable Object> entries() {
      Map<String, @Nullable Object> entries = new LinkedHashMap<>();
      for (int i = 0; i < values.size(); i += 2) {
        entries.put((String) values.get(i), values.get(i + 1));
      }
      return entries;
    }

    /** With its map turned round. */
    Body inOtherOrder() {
      if (kind != 'M') {
        return this;
      }
      List<@Nullable Object> turned = new ArrayList<>();
      List<String> names = new ArrayList<>(entries().keySet());
      Collections.reverse(names);
      names.forEach(name -> Collections.addAll(turned, name, entries().get(name)));
      return new Body(kind, turned);
    }

    /** All that belongs to it, in a form that compares by value. */
    List<@Nullable Object> content() {
      List<@Nullable Object> content = new ArrayList<>(List.of(kind));
      if (kind == 'M') {
        new TreeMap<>(entries())
            .forEach((name, value) -> Collections.addAll(content, name, comparable(value)));
      } else if (kind == 'T') {
        content.add(values.get(0) == null ? "" : values.get(0));
      } else if (kind != 'O') {
        values.forEach(value -> content.add(comparable(value)));
      }
      return content;
    }

    private static @Nullable Object comparable(@Nullable Object value) {
      return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
    }
  }

  @FuzzTest
  void sameBodiesAndNoOthersHaveOneFingerprint(byte[] input) throws Exception {
    Draws draws = new Draws(input);
    Body one = body(draws);
    Body other = draws.flag() ? body(draws) : near(one, draws);

    assertThat(of(one).equals(of(other)))
        .as("%s and %s", one, other)
        .isEqualTo(one.content().equals(other.content()));
    assertThat(of(one.inOtherOrder())).isEqualTo(of(one));
    if (isUnicode(one)) {
      assertThat(of(one)).isEqualTo(new Fingerprint(2, asDocumented(one)));
    }
  }

  @Test
  void alsoTheSameBodiesEachTime() {
    Draws.check(4_000, this::sameBodiesAndNoOthersHaveOneFingerprint);
  }

  private static Fingerprint of(Body body) throws Exception {
    return Fingerprints.of(body.message().as(Message.class));
  }

  private static Body body(Draws draws) {
    char kind = draws.oneOf('T', 'B', 'M', 'M', 'S', 'S', 'O', 'N');
    List<@Nullable Object> values = new ArrayList<>();
    switch (kind) {
      case 'T' -> values.add(draws.below(8) == 0 ? null : text(draws));
      case 'B' -> values.add(draws.octets(draws.oneOf(3, 30)));
      case 'S' -> {
        for (int i = draws.below(4); i > 0; i--) {
          values.add(value(draws));
        }
      }
      case 'M' -> {
        for (int i = draws.below(4); i > 0; i--) {
          Collections.addAll(values, text(draws), value(draws));
        }
      }
      default -> {}
    }
    return new Body(kind, values);
  }

  /** A body that could be taken for it: of another kind, or cut otherwise. */
  private static Body near(Body body, Draws draws) {
    List<@Nullable Object> values = new ArrayList<>(body.values());
    if (values.isEmpty() || body.kind() == 'M') {
      return new Body(draws.oneOf('S', 'M', 'N', 'O'), body.kind() == 'M' ? values : List.of());
    }
    Object first = values.get(0);
    if (first instanceof String text) {
      values.set(0, draws.oneOf(draws.changed(text), text, text + "?"));
    } else if (first instanceof byte[] bytes) {
      values.set(0, draws.flag() ? bytes.clone() : draws.octets(bytes.length + 1));
    } else if (first instanceof Number number && body.kind() == 'S') {
      values.set(
          0,
          draws.oneOf(
              number.intValue(), number.longValue(), number.doubleValue(), number.toString()));
    }
    return new Body(body.kind(), values);
  }

  private static @Nullable Object value(Draws draws) {
    return draws.flag() ? text(draws) : draws.bodyValue();
  }

  /** Few of them, so that bodies of the same letters come about. */
  private static String text(Draws draws) {
    return draws.oneOf(
        "", "a", "b", "ab", "?", "\ud83d", "\udc00", "\ud83d\ude00", "é", draws.text(5));
  }

  private static boolean isUnicode(Body body) {
    return body.values().stream()
        .allMatch(
            it ->
                !(it instanceof String text)
                    || new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
                        .equals(text));
  }

  private static String asDocumented(Body body) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(body.kind());
    switch (body.kind()) {
      case 'T' ->
          out.write(
              (body.values().get(0) == null ? "" : (String) body.values().get(0))
                  .getBytes(StandardCharsets.UTF_8));
      case 'B' -> out.write((byte[]) body.values().get(0));
      case 'M' -> {
        for (Map.Entry<String, @Nullable Object> entry : new TreeMap<>(body.entries()).entrySet()) {
          write(out, entry.getKey());
          write(out, entry.getValue());
        }
      }
      case 'S' -> {
        for (Object value : body.values()) {
          write(out, value);
        }
      }
      default -> {}
    }
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
  }

  private static void write(DataOutputStream out, @Nullable Object value) throws IOException {
    if (value == null) {
      out.writeByte('0');
      return;
    }
    switch (value.getClass().getSimpleName()) {
      case "String" -> sized(out, 't', ((String) value).getBytes(StandardCharsets.UTF_8));
      case "byte[]" -> sized(out, 'y', (byte[]) value);
      case "Boolean" -> {
        out.writeByte('z');
        out.writeBoolean((Boolean) value);
      }
      case "Byte" -> {
        out.writeByte('b');
        out.writeByte((Byte) value);
      }
      case "Short" -> {
        out.writeByte('s');
        out.writeShort((Short) value);
      }
      case "Character" -> {
        out.writeByte('c');
        out.writeChar((Character) value);
      }
      case "Integer" -> {
        out.writeByte('i');
        out.writeInt((Integer) value);
      }
      case "Long" -> {
        out.writeByte('l');
        out.writeLong((Long) value);
      }
      case "Float" -> {
        out.writeByte('f');
        out.writeFloat((Float) value);
      }
      default -> {
        out.writeByte('d');
        out.writeDouble((Double) value);
      }
    }
  }

  private static void sized(DataOutputStream out, char type, byte[] bytes) throws IOException {
    out.writeByte(type);
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
