package io.postbox.outbox.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.Tenth;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {
  private static final String EXAMPLE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void theExampleOfTheRecommendationIsTaken() {
    assertThat(TraceParent.parse(EXAMPLE))
        .contains(new TraceParent("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", "01"));
    assertThat(TraceParent.parse(EXAMPLE).orElseThrow()).hasToString(EXAMPLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
        " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
        "01-00000000000000000000000000000000-00f067aa0ba902b7-01",
      })
  void malformedHeadersAreLeftOut(String header) {
    assertThat(TraceParent.parse(header)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"01,01", "cc-what-the-future-brings,00", "ff,01", "02-,00"})
  void ofALaterVersionTheKnownPartsAreTaken(String end, String flags) {
    assertThat(TraceParent.parse("cc" + EXAMPLE.substring(2, 53) + end))
        .get()
        .hasToString(EXAMPLE.substring(0, 53) + flags);
  }

  @Test
  void everyWellFormedHeaderSurvives() {
    long seed = Tenth.seed();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      String header =
          String.format(
              Locale.ROOT,
              "00-%016x%016x-%016x-%02x",
              random.nextLong() | 1,
              random.nextLong(),
              random.nextLong() | 1,
              random.nextInt(256));
      assertThat(TraceParent.parse(header)).as("seed %s", seed).get().hasToString(header);
    }
  }

  @Test
  void noGarbageBreaksItOrComesOutAsAnythingButAHeader() {
    long seed = Tenth.seed();
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      String header = garbage(random);
      TraceParent.parse(header)
          .ifPresent(
              it ->
                  assertThat(it.toString())
                      .as("seed %s, %s", seed, header)
                      .matches("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"));
    }
  }

  /** A header with a few characters changed, cut, doubled or put in. */
  private static String garbage(Random random) {
    StringBuilder header = new StringBuilder(EXAMPLE);
    for (int changes = random.nextInt(4); changes > 0 && header.length() > 0; changes--) {
      int at = random.nextInt(header.length());
      switch (random.nextInt(4)) {
        case 0 ->
            header.setCharAt(at, "0123456789abcfF-_ \n\u0660\uD83D".charAt(random.nextInt(20)));
        case 1 -> header.deleteCharAt(at);
        case 2 -> header.insert(at, (char) random.nextInt(0x3000));
        default -> header.append(header.substring(at));
      }
    }
    return header.toString();
  }

  @Test
  void aStateIsShortPrintableText() {
    assertThat(TraceParent.isState("congo=t61rcWkgMzE,rojo=00f067aa0ba902b7")).isTrue();
    assertThat(TraceParent.isState("a=" + "x".repeat(510))).isTrue();
    assertThat(TraceParent.isState("a=" + "x".repeat(511))).isFalse();
    assertThat(TraceParent.isState("")).isFalse();
    assertThat(TraceParent.isState("a=\n")).isFalse();
    assertThat(TraceParent.isState("a=é")).isFalse();
  }
}
