package io.postbox.outbox.store;

import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The period of a partition of the archive: days in UTC. The partition's name contains it.
 *
 * @param from the first day
 * @param until the day after the last
 */
record ArchivePeriod(LocalDate from, LocalDate until) {
  private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;
  private static final Pattern NAME = Pattern.compile("outbox_archive_(\\d{8})_(\\d{8})");

  /** The partition's name, without schema and prefix. */
  String table() {
    return "outbox_archive_" + DAY.format(from) + "_" + DAY.format(until);
  }

  /** The period of a table that the outbox created. */
  static Optional<ArchivePeriod> of(String table) {
    Matcher name = NAME.matcher(table);
    if (!name.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
              new ArchivePeriod(
                  LocalDate.parse(name.group(1), DAY), LocalDate.parse(name.group(2), DAY)))
          .filter(period -> period.from.isBefore(period.until));
    } catch (DateTimeParseException somebodyElses) {
      return Optional.empty();
    }
  }

  boolean contains(LocalDate day) {
    return !day.isBefore(from) && day.isBefore(until);
  }

  /** Whether the whole period was over at a time. */
  boolean isBefore(Instant time) {
    return !until.atStartOfDay().toInstant(ZoneOffset.UTC).isAfter(time);
  }

  /**
   * The missing periods, so that the present and the whole next period have a partition. They leave
   * out days that have one, which may come from another setting.
   */
  static List<ArchivePeriod> missing(
      Collection<ArchivePeriod> there, Instant now, ArchivePartitions size) {
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    LocalDate end = end(end(today, size), size);
    List<ArchivePeriod> missing = new ArrayList<>();
    LocalDate day = today;
    while (day.isBefore(end)) {
      LocalDate first = day;
      Optional<ArchivePeriod> found = there.stream().filter(it -> it.contains(first)).findAny();
      if (found.isEmpty()) {
        LocalDate next =
            there.stream()
                .map(ArchivePeriod::from)
                .filter(from -> from.isAfter(first) && from.isBefore(end(first, size)))
                .min(LocalDate::compareTo)
                .orElse(end(first, size));
        missing.add(new ArchivePeriod(first, next));
        day = next;
      } else {
        day = found.get().until();
      }
    }
    return missing;
  }

  private static LocalDate end(LocalDate day, ArchivePartitions size) {
    return switch (size) {
      case DAILY -> day.plusDays(1);
      case MONTHLY -> day.withDayOfMonth(1).plusMonths(1);
      case NONE ->
          throw new IllegalArgumentException("an archive without partitions has no periods");
    };
  }
}
