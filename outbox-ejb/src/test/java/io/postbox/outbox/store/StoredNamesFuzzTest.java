package io.postbox.outbox.store;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.store.LikePattern;
import io.postbox.common.testing.Draws;
import io.postbox.common.text.Storable;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Names that the store takes apart, and texts that it makes fit. */
class StoredNamesFuzzTest {
  private static Connection database;

  @BeforeAll
  static void connect() throws SQLException {
    database = TestDatabase.H2.fresh().getConnection();
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  @FuzzTest
  void namesAndTextsMeanWhatTheySay(byte[] input) throws SQLException {
    Draws draws = new Draws(input);
    switch (draws.below(3)) {
      case 0 -> aTableIsThatOfAPeriodIfItsNameSaysSo(draws);
      case 1 -> aPatternFindsWhatContainsTheTextAndNothingElse(draws);
      default -> anErrorIsOneLineThatFits(draws);
    }
  }

  @Test
  void alsoTheSameNamesEachTime() {
    Draws.check(4_000, this::namesAndTextsMeanWhatTheySay);
  }

  private static void aTableIsThatOfAPeriodIfItsNameSaysSo(Draws draws) {
    String dates = draws.changed(date(draws) + "_" + date(draws));
    String name = draws.oneOf("outbox_archive_", "outbox_archive_", "outbox_archive", "x_") + dates;
    Optional<ArchivePeriod> period = ArchivePeriod.of(name);

    period.ifPresent(it -> assertThat(it.table()).isEqualTo(name));
    Optional<LocalDate> from = dateOf(name, 15);
    Optional<LocalDate> until = dateOf(name, 24);
    boolean isOurs =
        name.startsWith("outbox_archive_")
            && name.length() == 32
            && name.charAt(23) == '_'
            && from.isPresent()
            && until.isPresent()
            && from.get().isBefore(until.get());
    assertThat(period.isPresent()).as(name).isEqualTo(isOurs);
  }

  private static String date(Draws draws) {
    return String.format(
        Locale.ROOT, "%04d%02d%02d", draws.below(10_000), draws.below(14), draws.below(33));
  }

  private static Optional<LocalDate> dateOf(String name, int at) {
    if (name.length() < at + 8
        || !name.substring(at, at + 8).chars().allMatch(it -> it >= '0' && it <= '9')) {
      return Optional.empty();
    }
    try {
      int number = Integer.parseInt(name.substring(at, at + 8));
      return Optional.of(LocalDate.of(number / 10_000, number / 100 % 100, number % 100));
    } catch (DateTimeException none) {
      return Optional.empty();
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

  private static void anErrorIsOneLineThatFits(Draws draws) {
    String text = draws.text(30);
    int longest = 1 + draws.below(30);
    String line = Storable.printable(text);
    assertThat(line.codePoints())
        .noneMatch(it -> it < 32 || (it >= 127 && it < 160) || it == 0x2028 || it == 0x2029);
    assertThat(Storable.printable(line)).isEqualTo(line);

    String cut = Storable.cut(line, longest);
    // The encoder puts U+FFFD in the place of half a character.
    assertThat(new String(line.getBytes(UTF_16BE), UTF_16BE)).startsWith(cut);
    assertThat(cut).hasSizeBetween(Math.min(line.length(), longest - 1), longest);
    assertThat(UTF_8.newEncoder().canEncode(cut)).as(cut).isTrue();
  }
}
