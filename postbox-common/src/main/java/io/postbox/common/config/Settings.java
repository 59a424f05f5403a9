package io.postbox.common.config;

import io.postbox.common.platform.ServerSetting;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads typed values by name. It remembers every key that was read, to find set keys that no one
 * reads, and collects all errors instead of stopping at the first.
 */
public final class Settings {
  private static final Pattern SHORT_DURATION = Pattern.compile("(\\d{1,15})\\s*(ms|s|m|h|d)");
  private static final Pattern BEGINNING = Pattern.compile("[^.]+\\.[^.]+");
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,29}");
  private static final String SOME_TEXT = "some text";

  private final String prefix;
  private final Set<String> names;
  private final Function<String, Optional<String>> lookup;
  private final Set<String> allNames;
  private final Function<String, Optional<String>> anyLookup;
  private final List<String> known = new ArrayList<>();
  private final Set<String> knownInEnvironment = new TreeSet<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * @param prefix of every key, the final dot included
   * @param names the full keys that are known to be set
   * @param lookup returns the value of a full key; it may find keys beyond {@code names}, because
   *     environment variables have other names
   */
  public Settings(String prefix, Set<String> names, Function<String, Optional<String>> lookup) {
    this.prefix = prefix;
    this.names =
        names.stream()
            .filter(name -> name.startsWith(prefix))
            .map(name -> name.substring(prefix.length()))
            .collect(Collectors.toUnmodifiableSet());
    this.allNames = Set.copyOf(names);
    this.anyLookup = lookup;
    this.lookup = key -> lookup.apply(prefix + key).map(String::strip);
  }

  public String text(String key, String otherwise) {
    return read(key, otherwise, Settings::notBlank, SOME_TEXT);
  }

  /** Some text, or nothing. */
  public Optional<String> optional(String key) {
    return notBlank(text(key, ""));
  }

  /**
   * A secret, or nothing. A wrong one is reported without its value.
   *
   * @param shortest how many characters it has at least
   */
  public Optional<String> secret(String key, int shortest) {
    known.add(key);
    Optional<String> value = lookup.apply(key).filter(it -> !it.isEmpty());
    if (value.isPresent() && value.get().length() < shortest) {
      problems.add("%s%s: expected at least %s random characters".formatted(prefix, key, shortest));
      return Optional.empty();
    }
    return value;
  }

  /** A name that is stored: up to 100 characters, not blank. */
  public String name(String key, String otherwise) {
    return read(
        key,
        otherwise,
        value -> notBlank(value).filter(it -> it.length() <= 100),
        "a name of 1 to 100 characters");
  }

  /** A part of a table's name: a plain SQL identifier, or nothing. */
  public String identifier(String key, String otherwise) {
    String wanted = "a letter or _ followed by up to 29 letters, digits or _, or nothing";
    return read(
        key,
        otherwise,
        value -> Optional.of(value).filter(it -> it.isEmpty() || IDENTIFIER.matcher(it).matches()),
        wanted);
  }

  public boolean flag(String key, boolean otherwise) {
    return read(
        key,
        otherwise,
        value ->
            switch (value.toLowerCase(Locale.ROOT)) {
              case "true" -> Optional.of(true);
              case "false" -> Optional.of(false);
              default -> Optional.empty();
            },
        "true or false");
  }

  public int whole(String key, int otherwise, int least, int most) {
    return (int) number(key, otherwise, least, most);
  }

  /** A whole number that may be larger than those of {@link #whole}. */
  public long number(String key, long otherwise, long least, long most) {
    return read(
        key,
        otherwise,
        value -> Optional.of(Long.valueOf(value)).filter(it -> it >= least && it <= most),
        "a whole number from " + least + " to " + most);
  }

  /** A whole number; empty if a word stands in its place. */
  public OptionalLong numberOr(
      String word, String key, OptionalLong otherwise, long least, long most) {
    return read(
        key,
        otherwise,
        value ->
            value.equalsIgnoreCase(word)
                ? Optional.of(OptionalLong.empty())
                : Optional.of(Long.valueOf(value))
                    .filter(it -> it >= least && it <= most)
                    .map(OptionalLong::of),
        "a whole number from " + least + " to " + most + ", or " + word);
  }

  public Duration duration(String key, Duration otherwise, Duration least, Duration most) {
    return read(
        key,
        otherwise,
        value ->
            Optional.of(parseDuration(value))
                .filter(it -> it.compareTo(least) >= 0 && it.compareTo(most) <= 0),
        "a duration from "
            + Durations.text(least)
            + " to "
            + Durations.text(most)
            + ", written like 500ms, 30s, 5m, 12h, 7d or PT30S");
  }

  /** The waits {@code backoff.first} and {@code backoff.max}, of which neither is the smaller. */
  public Backoff backoff(String group, Backoff otherwise) {
    Duration first =
        duration(
            group + "backoff.first",
            otherwise.first(),
            Retries.SHORTEST_WAIT,
            Retries.LONGEST_WAIT);
    Duration longest = otherwise.max();
    return new Backoff(
        first,
        duration(
            group + "backoff.max",
            first.compareTo(longest) > 0 ? first : longest,
            first,
            Retries.LONGEST_WAIT));
  }

  /**
   * Words separated by commas; none if the key is not set.
   *
   * @param areRight whether they are a valid combination
   */
  public Set<String> words(String key, Predicate<Set<String>> areRight, String wanted) {
    return read(
        key,
        Set.of(),
        value -> {
          Set<String> words =
              Arrays.stream(value.split(",", -1))
                  .map(String::strip)
                  .collect(Collectors.toUnmodifiableSet());
          return Optional.of(words).filter(areRight);
        },
        wanted);
  }

  public <E extends Enum<E>> E choice(String key, E otherwise) {
    return optionalChoice(key, otherwise.getDeclaringClass()).orElse(otherwise);
  }

  /** One of these, or nothing. */
  public <E extends Enum<E>> Optional<E> optionalChoice(String key, Class<E> type) {
    return read(
        key,
        Optional.<E>empty(),
        value ->
            Arrays.stream(type.getEnumConstants())
                .filter(it -> it.name().equalsIgnoreCase(value))
                .map(Optional::of)
                .findAny(),
        "one of " + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
  }

  /**
   * The names in {@code group.<name>.<key>}, for every key of the group that is set.
   *
   * @param there names to look for in any case, because an environment variable does not show them
   */
  public SortedSet<String> namesIn(String group, List<String> keys, Set<String> there) {
    Set<String> forms =
        there.stream().map(Settings::environmentForm).collect(Collectors.toUnmodifiableSet());
    SortedSet<String> found = new TreeSet<>(there);
    for (String key : keys) {
      Pattern form = Pattern.compile(Pattern.quote(group) + "\\.(.+)\\." + Pattern.quote(key));
      known.add(group + ".<name>." + key);
      names.stream()
          .map(form::matcher)
          .filter(Matcher::matches)
          .filter(
              it ->
                  !forms.contains(environmentForm(it.group(1)))
                      || !isFromEnvironment(it.group())) // which writes a name from the list
          .forEach(it -> found.add(it.group(1)));
    }
    return found;
  }

  /** The values of {@code group.<name>.<key>} by name, for every name that occurs. */
  public Map<String, String> named(String group, String key) {
    known.add(group + ".<name>." + key);
    Pattern form = Pattern.compile(Pattern.quote(group) + "\\.(.+)\\." + Pattern.quote(key));
    Map<String, String> found = new HashMap<>();
    for (String name : names) {
      Matcher matcher = form.matcher(name);
      if (matcher.matches()) {
        known.add(name);
        lookup
            .apply(name)
            .ifPresent(
                value -> {
                  found.put(matcher.group(1), value);
                  if (value.isBlank()) {
                    problems.add(prefix + name + "=: expected " + SOME_TEXT);
                  }
                });
      }
    }
    return Map.copyOf(found);
  }

  /**
   * The values of environment variables for {@code group.<name>.<key>}, by the name in the
   * variable's spelling, from which the original name cannot be restored.
   */
  public Map<String, String> namedInEnvironment(String group, String key) {
    Pattern form =
        Pattern.compile(
            environmentForm(prefix + group + ".") + "(.+)" + environmentForm("." + key));
    Map<String, String> found = new HashMap<>();
    Set<String> candidates = new TreeSet<>(allNames);
    names.forEach(name -> candidates.add(environmentForm(prefix + name)));
    for (String name : candidates) {
      Matcher matcher = form.matcher(name);
      if (matcher.matches()) {
        knownInEnvironment.add(name);
        anyLookup
            .apply(name)
            .map(String::strip)
            .filter(value -> !value.isEmpty())
            .ifPresent(value -> found.put(matcher.group(1), value));
      }
    }
    return Map.copyOf(found);
  }

  /** A report on every set key that was never read, with the nearest known key. */
  public List<String> unknown() {
    return names.stream()
        .sorted()
        .filter(key -> !known.contains(key) && !isKnownInEnvironment(key))
        .map(key -> prefix + key + ": there is no such key" + suggestion(key))
        .toList();
  }

  /**
   * A report on keys whose prefix is a near miss of one of ours. Keys of another module or of the
   * application itself are not reported.
   *
   * @param names all keys that are known to be set
   * @param ours this module's prefixes: two words with a dot between them
   * @param others the prefixes of other modules
   */
  public static List<String> mistypedBeginnings(
      Set<String> names, Set<String> ours, Set<String> others) {
    List<String> found = new ArrayList<>();
    for (String name : new TreeSet<>(names)) {
      Matcher written = BEGINNING.matcher(name);
      if (!written.lookingAt()
          || ours.contains(written.group())
          || others.contains(written.group())) {
        continue;
      }
      String beginning = written.group();
      Spelling.nearest(beginning, Stream.concat(ours.stream(), others.stream()).toList())
          .filter(ours::contains)
          .filter(meant -> isNearInBothWords(beginning, meant))
          .ifPresent(
              meant ->
                  found.add(
                      name
                          + ": there is no such key (did you mean "
                          + meant
                          + name.substring(beginning.length())
                          + "?)"));
    }
    return found;
  }

  private static boolean isNearInBothWords(String written, String meant) {
    int dot = written.indexOf('.');
    int meantDot = meant.indexOf('.');
    return Spelling.isNear(written.substring(0, dot), meant.substring(0, meantDot))
        && Spelling.isNear(written.substring(dot + 1), meant.substring(meantDot + 1));
  }

  /**
   * Whether a listed key is an environment variable in disguise: some servers list each a second
   * time, in lower case and with dots, from which the dashes of the real key cannot be told.
   */
  public boolean isFromEnvironment(String key) {
    return anyLookup.apply(environmentForm(prefix + key)).isPresent();
  }

  private boolean isKnownInEnvironment(String key) {
    String form = environmentForm(prefix + key);
    return isFromEnvironment(key)
        && (knownInEnvironment.contains(form)
            || known.stream().anyMatch(it -> form.equals(environmentForm(prefix + it))));
  }

  /** How MicroProfile Config writes a name, or a part of one, as an environment variable. */
  public static String environmentForm(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  /** Throws all errors that were found, in one message. */
  public static void check(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(
          "The configuration of Postbox is wrong, so the application does not start: "
              + String.join("; ", problems)
              + ". Change it in "
              + ServerSetting.CONFIGURATION.toDo()
              + " or in META-INF/microprofile-config.properties.");
    }
  }

  public List<String> problems() {
    return List.copyOf(problems);
  }

  private <T> T read(String key, T otherwise, Function<String, Optional<T>> parse, String wanted) {
    known.add(key);
    Optional<String> value = lookup.apply(key);
    if (value.isEmpty()) {
      return otherwise;
    }
    Optional<T> parsed;
    try {
      parsed = value.flatMap(parse);
    } catch (NumberFormatException | DateTimeException | ArithmeticException unreadable) {
      parsed = Optional.empty(); // reported below, with the expected values
    }
    if (parsed.isEmpty()) {
      problems.add(prefix + key + "=" + value.get() + ": expected " + wanted);
    }
    return parsed.orElse(otherwise);
  }

  private static Optional<String> notBlank(String value) {
    return Optional.of(value).filter(it -> !it.isBlank());
  }

  private static Duration parseDuration(String value) {
    Matcher shortForm = SHORT_DURATION.matcher(value);
    if (!shortForm.matches()) {
      return Duration.parse(value);
    }
    long number = Long.parseLong(shortForm.group(1));
    return switch (shortForm.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  private String suggestion(String key) {
    return known.stream()
        .min(Comparator.comparingInt(candidate -> Spelling.distance(candidate, key)))
        .filter(
            candidate -> Spelling.distance(candidate, key) <= Math.max(2, candidate.length() / 2))
        .map(candidate -> " (did you mean " + prefix + candidate + "?)")
        .orElse("");
  }
}
