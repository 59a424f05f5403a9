package io.postbox.inbox.store;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A day, in UTC, whose ids have a table of their own, named after the day. Ids are UUIDs of version
 * 7 in their usual form; as text they sort by the time in them.
 *
 * @param date the day
 */
record IdDay(LocalDate date) implements Comparable<IdDay> {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuuMMdd", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
  private static final Pattern NAME = Pattern.compile("inbox_message_(\\d{8})");

  /** The day of a time. */
  static IdDay of(Instant time) {
    return new IdDay(LocalDate.ofInstant(time, ZoneOffset.UTC));
  }

  /** The day of a table that the inbox created. */
  static Optional<IdDay> of(String table) {
    Matcher name = NAME.matcher(table);
    if (!name.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new IdDay(LocalDate.parse(name.group(1), DATE)));
    } catch (DateTimeParseException somebodyElses) {
      return Optional.empty();
    }
  }

  /** The table's name, without schema and prefix. */
  String table() {
    return "inbox_message_" + DATE.format(date);
  }

  /** The lower bound of the day's ids, and the exclusive upper bound of the previous day's. */
  String firstId() {
    String millis =
        String.format(
            Locale.ROOT, "%012x", date.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli());
    return millis.substring(0, 8) + "-" + millis.substring(8);
  }

  IdDay plus(int days) {
    return new IdDay(date.plusDays(days));
  }

  boolean isBefore(IdDay other) {
    return date.isBefore(other.date);
  }

  @Override
  public int compareTo(IdDay other) {
    return date.compareTo(other.date);
  }
}
