package io.postbox.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.testing.Draws;
import java.math.BigInteger;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Compares the reading of a value with somebody else's arithmetic. */
class SettingsFuzzTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
  private static final List<String> OF_CONSUMERS = List.of("order", "order.max-waits", "retention");

  private enum Colour {
    RED,
    DARK_BLUE
  }

  /**
   * A way to read a value.
   *
   * @param otherwise the value in the place of a wrong one
   * @param read by the settings
   * @param expected by the oracle; nothing, if it is wrong
   */
  private record Kind<T>(
      T otherwise, Function<Settings, T> read, Function<String, Optional<T>> expected) {}

  private static final List<Kind<?>> KINDS =
      List.of(
          new Kind<>(
              Duration.ofSeconds(7),
              it -> it.duration("key", Duration.ofSeconds(7), Duration.ofMillis(1), DAY),
              value -> duration(value, Duration.ofMillis(1), DAY)),
          new Kind<>(
              Duration.ZERO,
              it -> it.duration("key", Duration.ZERO, Duration.ZERO, DAY.multipliedBy(36_500)),
              value -> duration(value, Duration.ZERO, DAY.multipliedBy(36_500))),
          new Kind<>(7, it -> it.whole("key", 7, 1, 64), value -> whole(value, 1, 64)),
          new Kind<>(
              7,
              it -> it.whole("key", 7, 0, Integer.MAX_VALUE),
              value -> whole(value, 0, Integer.MAX_VALUE)),
          new Kind<>(
              false,
              it -> it.flag("key", false),
              value -> Optional.ofNullable(Map.of("true", true, "false", false).get(lower(value)))),
          new Kind<>(
              Colour.RED,
              it -> it.choice("key", Colour.RED),
              value ->
                  Optional.ofNullable(
                      Map.of("red", Colour.RED, "dark_blue", Colour.DARK_BLUE).get(lower(value)))),
          new Kind<>("d", it -> it.identifier("key", "d"), SettingsFuzzTest::identifier),
          new Kind<>("d", it -> it.text("key", "d"), SettingsFuzzTest::notBlank),
          new Kind<>(
              Optional.of("nothing"),
              it -> it.optional("key").or(() -> Optional.of("nothing")),
              value -> notBlank(value).map(Optional::of)),
          new Kind<>(
              "d", it -> it.name("key", "d"), value -> notBlank(value).filter(it -> fits(it))));

  @FuzzTest
  void aSettingIsReadAsItsKindSaysOrRefused(byte[] input) {
    Draws draws = new Draws(input);
    if (draws.below(4) > 0) {
      readsAs(KINDS.get(draws.below(KINDS.size())), value(draws));
    } else if (draws.below(2) > 0) {
      everyKeyOfAConsumerIsReadOrUnknown(draws);
    } else {
      everyKeyOfADestinationIsReadOrUnknown(draws);
    }
  }

  @Test
  void alsoTheSameSettingsEachTime() {
    Draws.check(4_000, this::aSettingIsReadAsItsKindSaysOrRefused);
  }

  private static <T> void readsAs(Kind<T> kind, String value) {
    Settings settings = new Settings("p.", Set.of("p.key"), key -> Optional.of(value));
    T read = kind.read().apply(settings);
    Optional<T> expected = kind.expected().apply(value.strip());

    assertThat(read).isEqualTo(expected.orElse(kind.otherwise()));
    if (expected.isPresent()) {
      assertThat(settings.problems()).isEmpty();
    } else {
      assertThat(settings.problems()).hasSize(1);
      assertThat(settings.problems().get(0)).startsWith("p.key=" + value.strip() + ": expected ");
    }
    assertThat(settings.unknown()).isEmpty();
  }

  private static void everyKeyOfAConsumerIsReadOrUnknown(Draws draws) {
    Set<String> keys = new HashSet<>();
    for (int i = draws.below(4); i >= 0; i--) {
      String name = draws.oneOf("", "a", "a.b", "<name>", "x.order", draws.text(4));
      keys.add("p." + draws.changed("consumer." + name + "." + OF_CONSUMERS.get(draws.below(3))));
    }
    Settings settings = // without any environment variable, which would find more than is listed
        new Settings("p.", keys, key -> Optional.of("x").filter(it -> keys.contains(key)));
    Set<String> read = new TreeSet<>();
    for (String name : settings.namesIn("consumer", OF_CONSUMERS, Set.of())) {
      for (String key : OF_CONSUMERS) {
        settings.optional("consumer." + name + "." + key);
        read.add("p.consumer." + name + "." + key);
      }
    }
    Set<String> unknown = new TreeSet<>();
    settings.unknown().forEach(it -> unknown.add(it.substring(0, it.indexOf(": there is no"))));

    assertThat(unknown).noneMatch(it -> isOfConsumer(it) || read.contains(it));
    assertThat(keys)
        .filteredOn(it -> it.startsWith("p."))
        .allMatch(it -> read.contains(it) || unknown.contains(it));
  }

  private static boolean isOfConsumer(String key) {
    return key.matches("p\\.consumer\\..+\\.(order|order\\.max-waits|retention)");
  }

  private static void everyKeyOfADestinationIsReadOrUnknown(Draws draws) {
    Set<String> keys = new HashSet<>();
    for (int i = draws.below(4); i >= 0; i--) {
      String name = draws.oneOf("", "a", "a.b", "<name>", "x.jndi-name", draws.text(4));
      keys.add("p." + draws.changed("destination." + name + ".jndi-name"));
    }
    Settings settings = // without any environment variable, which would find more than is listed
        new Settings("p.", keys, key -> Optional.of("jms/x").filter(it -> keys.contains(key)));
    Set<String> read = new TreeSet<>();
    settings
        .named("destination", "jndi-name")
        .keySet()
        .forEach(name -> read.add("p.destination." + name + ".jndi-name"));
    Set<String> unknown = new TreeSet<>();
    settings.unknown().forEach(it -> unknown.add(it.substring(0, it.indexOf(": there is no"))));

    assertThat(keys).containsAll(read).containsAll(unknown);
    assertThat(keys)
        .filteredOn(it -> it.startsWith("p."))
        .allMatch(it -> read.contains(it) != unknown.contains(it))
        .allMatch(it -> read.contains(it) || !isOfDestination(it));
  }

  private static boolean isOfDestination(String key) {
    return key.matches("p\\.destination\\..+\\.jndi-name");
  }

  private static String value(Draws draws) {
    return switch (draws.below(8)) {
      case 0 -> draws.number() + draws.oneOf("", " ", "\u00a0", "\n") + unit(draws);
      case 1 -> String.valueOf(draws.number());
      case 2 -> Duration.ofSeconds(draws.number() >> 8, draws.below(2_000)).toString();
      case 3 -> draws.changed(draws.oneOf("PT30S", "P7D", "-PT1S", "P1DT2H3.5S", "5m", "30s"));
      case 4 -> draws.changed(draws.oneOf("true", "FALSE", "red", "Dark_Blue", "darkblue"));
      case 5 -> draws.about(draws.oneOf(30, 100));
      case 6 -> BigInteger.valueOf(draws.number()).pow(2) + unit(draws);
      default -> draws.text(12);
    };
  }

  private static String unit(Draws draws) {
    return draws.oneOf("", "ms", "s", "m", "h", "d", "S", "w", "ss");
  }

  private static Optional<Duration> duration(String value, Duration least, Duration most) {
    int digits = 0;
    while (digits < value.length() && "0123456789".indexOf(value.charAt(digits)) >= 0) {
      digits++;
    }
    int unit = digits;
    while (unit < value.length() && " \t\n\u000b\f\r".indexOf(value.charAt(unit)) >= 0) {
      unit++;
    }
    Long millis = MILLIS.get(value.substring(unit));
    if (digits > 0 && digits <= 15 && millis != null) {
      BigInteger all =
          new BigInteger(value.substring(0, digits)).multiply(BigInteger.valueOf(millis));
      return all.compareTo(BigInteger.valueOf(least.toMillis())) >= 0
              && all.compareTo(BigInteger.valueOf(most.toMillis())) <= 0
          ? Optional.of(Duration.ofMillis(all.longValueExact()))
          : Optional.empty();
    }
    try {
      return Optional.of(Duration.parse(value))
          .filter(it -> it.compareTo(least) >= 0 && it.compareTo(most) <= 0);
    } catch (DateTimeParseException none) {
      return Optional.empty();
    }
  }

  private static Optional<Integer> whole(String value, int least, int most) {
    try {
      BigInteger number = new BigInteger(value);
      return number.compareTo(BigInteger.valueOf(least)) >= 0
              && number.compareTo(BigInteger.valueOf(most)) <= 0
          ? Optional.of(number.intValueExact())
          : Optional.empty();
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }

  private static Optional<String> identifier(String value) {
    boolean plain =
        value
            .chars()
            .allMatch(
                it ->
                    (it >= 'a' && it <= 'z')
                        || (it >= 'A' && it <= 'Z')
                        || (it >= '0' && it <= '9')
                        || it == '_');
    boolean begins = value.isEmpty() || value.charAt(0) < '0' || value.charAt(0) > '9';
    return plain && begins && value.length() <= 30 ? Optional.of(value) : Optional.empty();
  }

  private static Optional<String> notBlank(String value) {
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  private static boolean fits(String name) {
    return name.length() <= 100;
  }

  /** Of the letters that ASCII has; others have no business in a keyword. */
  private static String lower(String value) {
    StringBuilder lower = new StringBuilder();
    for (char c : value.toCharArray()) {
      lower.append(c >= 'A' && c <= 'Z' ? (char) (c + 32) : c);
    }
    return lower.toString();
  }
}
