package io.postbox.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ids and levels of a module's log lines, as its sources and those of postbox-common have them.
 * An id that is no longer used stays on record as {@value #RETIRED}, so that none gets a second
 * meaning.
 */
public final class LogIds {
  private static final String RETIRED = "retired";
  private static final Pattern END_OF_METHOD = Pattern.compile("(?m)^  \\}$");

  /** The levels of an id, once for each method that logs it. */
  private final Map<String, List<String>> levels = new TreeMap<>();

  private final TreeSet<String> mentioned = new TreeSet<>();

  /**
   * @param prefix of the module's ids
   */
  public static LogIds inSources(String prefix) {
    return new LogIds(prefix);
  }

  private LogIds(String prefix) {
    Pattern logged =
        Pattern.compile(
            "\\b(?:LOG|log)\\s*\\.(?!either)(\\w+)\\(\\s*(?:either\\((?:\"\\w+\", )?)?\"(%s\\d{4})\""
                .formatted(prefix));
    Pattern id = Pattern.compile("\"(%s\\d{4})".formatted(prefix));
    try {
      for (Path file : files()) {
        for (String method : END_OF_METHOD.split(Files.readString(file))) {
          Map<String, TreeSet<String>> ofMethod = new TreeMap<>();
          logged
              .matcher(method)
              .results()
              .forEach(
                  each ->
                      ofMethod
                          .computeIfAbsent(each.group(2), found -> new TreeSet<>())
                          .add(each.group(1)));
          ofMethod.forEach(
              (found, its) ->
                  levels
                      .computeIfAbsent(found, none -> new ArrayList<>())
                      .add(String.join(" ", its)));
          id.matcher(method).results().forEach(each -> mentioned.add(each.group(1)));
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The module's, and those with the lines that both modules have. */
  private static List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String sources : List.of("src/main/java", "../postbox-common/src/main/java")) {
      try (Stream<Path> files = Files.walk(Path.of(sources))) {
        files.filter(each -> each.toString().endsWith(".java")).forEach(found::add);
      }
    }
    return found;
  }

  /** Fails if two methods log one id, if one is used again, or differs from {@code log-ids}. */
  public void areOnRecord() {
    Golden golden = Golden.of("log-ids");
    Map<String, String> recorded =
        golden.lines().stream()
            .collect(
                Collectors.toMap(
                    line -> line.substring(0, line.indexOf(' ')),
                    line -> line.substring(line.indexOf(' ') + 1)));
    assertThat(levels.keySet()).containsAll(mentioned);
    assertThat(levels).allSatisfy((id, its) -> assertThat(its).as(id).hasSize(1));
    assertThat(recorded)
        .as("ids that are retired, and must not be used again")
        .allSatisfy(
            (id, level) ->
                assertThat(level.equals(RETIRED) && mentioned.contains(id)).as(id).isFalse());

    Map<String, String> all = new TreeMap<>();
    recorded.keySet().forEach(id -> all.put(id, RETIRED));
    levels.forEach((id, its) -> all.put(id, its.get(0)));
    golden.holds(all.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()));
  }
}
