package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.store.LikePattern;
import io.postbox.common.testing.Draws;
import io.postbox.inbox.store.IdRange.Bounds;
import io.postbox.inbox.store.IdRange.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Names and ids that the store takes apart or puts into a pattern. */
class StoredNamesFuzzTest {
  private static final long DAY = 86_400_000;
  private static Connection database;

  @BeforeAll
  static void connect() throws SQLException {
    database = TestDatabase.connect(TestDatabase.H2.freshUrl());
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  @FuzzTest
  void namesAndIdsMeanWhatTheySay(byte[] input) throws SQLException {
    Draws draws = new Draws(input);
    switch (draws.below(3)) {
      case 0 -> aTableIsThatOfADayIfItsNameSaysSo(draws);
      case 1 -> anIdHasAPlaceIfItsTimeIsWithinTheBounds(draws);
      default -> aPatternFindsWhatContainsTheTextAndNothingElse(draws);
    }
  }

  @Test
  void alsoTheSameNamesEachTime() {
    Draws.check(4_000, this::namesAndIdsMeanWhatTheySay);
  }

  private static void aTableIsThatOfADayIfItsNameSaysSo(Draws draws) {
    String date =
        draws.changed(
            String.format(
                Locale.ROOT,
                "%04d%02d%02d",
                draws.below(10_000),
                draws.below(14),
                draws.below(33)));
    Optional<IdDay> day = IdDay.of(draws.oneOf("inbox_message_", "inbox_message", "x_") + date);

    day.ifPresent(it -> assertThat(it.table()).isEqualTo("inbox_message_" + date));
    String name = "inbox_message_" + date;
    assertThat(IdDay.of(name).map(IdDay::date)).isEqualTo(dateOf(date));
  }

  private static void anIdHasAPlaceIfItsTimeIsWithinTheBounds(Draws draws) {
    long from = draws.below(30_000) * DAY;
    long until = from + draws.below(20) * DAY;
    IdRange range = new IdRange();
    boolean complete = draws.flag();
    range.limit(new Bounds(firstId(from), firstId(until), complete));

    long time = draws.flag() ? from + draws.below(1 << 24) * 101L : until + draws.oneOf(0, 1, -1);
    long millis = Math.max(0, time) & 0xffff_ffff_ffffL;
    UUID random = UUID.fromString(draws.uuid());
    String id =
        new UUID(
                millis << 16 | 0x7000 | random.getMostSignificantBits() & 0xfff,
                random.getLeastSignificantBits() & 0x3fff_ffff_ffff_ffffL | 1L << 63)
            .toString();
    Place ahead = complete ? Place.NOT_TIME_ORDERED : Place.NOT_READY;
    assertThat(range.of(id))
        .isEqualTo(millis < from ? Place.TOO_OLD : millis < until ? Place.STORABLE : ahead);

    String other = draws.changed(id);
    if (!isVersion7(other)) {
      assertThat(range.of(other)).isEqualTo(Place.NOT_TIME_ORDERED);
    }
  }

  private static void aPatternFindsWhatContainsTheTextAndNothingElse(Draws draws)
      throws SQLException {
    String part = draws.changed(draws.oneOf("", "%", "_", "!", "!%", "a_b", "AMQ", draws.text(5)));
    String all =
        draws.flag() ? draws.text(5) + part + draws.text(5) : draws.changed(draws.text(5) + part);
    try (PreparedStatement statement = database.prepareStatement("SELECT ? LIKE ? ESCAPE '!'")) {
      statement.setString(1, all);
      statement.setString(2, LikePattern.containing(part));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        assertThat(row.getBoolean(1)).as("%s in %s", part, all).isEqualTo(all.contains(part));
      }
    }
  }

  private static Optional<LocalDate> dateOf(String date) {
    if (date.length() != 8 || !date.chars().allMatch(it -> it >= '0' && it <= '9')) {
      return Optional.empty();
    }
    try {
      int number = Integer.parseInt(date);
      return Optional.of(LocalDate.of(number / 10_000, number / 100 % 100, number % 100));
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }

  private static String firstId(long millis) {
    return IdDay.of(Instant.ofEpochMilli(millis)).firstId();
  }

  /** As the JDK reads it, which takes capital letters and leading zeros that are left out too. */
  private static boolean isVersion7(String id) {
    try {
      UUID read = UUID.fromString(id);
      return read.toString().equals(id) && read.version() == 7 && read.variant() == 2;
    } catch (IllegalArgumentException none) {
      return false;
    }
  }
}
