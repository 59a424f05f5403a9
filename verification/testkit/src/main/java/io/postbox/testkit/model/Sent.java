package io.postbox.testkit.model;

import io.postbox.testkit.injected.SendLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A message that a broker has taken, or was about to; it may have done so more than once.
 *
 * @param at when that was noted, in nanoseconds of the machine's clock
 * @param key its ordering key; {@code "null"} if it has none
 * @param committed whether its transaction had committed in the broker; otherwise it was about to
 */
public record Sent(long at, String messageId, String destination, String key, boolean committed) {
  private static final int FIELDS = 5;

  /** All messages that several servers have sent, in the order of sending. */
  public static List<Sent> read(List<Path> logs) {
    return logs.stream()
        .filter(Files::exists)
        .flatMap(Sent::lines)
        .map(line -> line.split("\t"))
        .filter(fields -> fields.length == FIELDS && fields[FIELDS - 1].endsWith("."))
        .map(
            fields ->
                new Sent(
                    Long.parseLong(fields[0]),
                    fields[1],
                    fields[2],
                    fields[3],
                    fields[FIELDS - 1].equals(SendLog.COMMITTED)))
        .sorted(Comparator.comparingLong(Sent::at)) // stable: a batch keeps its order
        .toList();
  }

  private static Stream<String> lines(Path log) {
    try {
      return Files.readAllLines(log).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(log + " cannot be read", e);
    }
  }
}
