package io.postbox.common.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.DatabaseFacts;
import io.postbox.common.store.Dialect;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseRulesTest {
  private static final String LOST = "messages";

  /** All rules on one database. */
  private static final class Rules extends DatabaseRules {
    Rules(DatabaseFacts database) {
      super("outbox", LOST, database);
    }

    List<Finding> all(Optional<Boolean> xa, Optional<Boolean> recovers) {
      indexes("reads are slow");
      if (database.dialect() == Dialect.H2) {
        h2("all of it is gone");
      } else {
        postgresql();
      }
      assertThat(h2Xa(xa)).isEqualTo(findings().stream().anyMatch(it -> is(it, "h2-xa")));
      recovery(recovers);
      return findings();
    }

    private static boolean is(Finding finding, String name) {
      return finding.name().equals(name);
    }
  }

  private static List<Finding> findings(DatabaseFacts database) {
    return new Rules(database).all(Optional.of(false), Optional.of(true));
  }

  private static DatabaseFacts h2(String version, String url, String delay) {
    return new DatabaseFacts(
        Dialect.H2, version, url, Map.of("WRITE_DELAY", delay), List.of(), List.of());
  }

  private static DatabaseFacts postgresql(Map<String, String> settings) {
    return new DatabaseFacts(
        Dialect.POSTGRESQL, "13.1", "jdbc:postgresql://db/shop", settings, List.of(), List.of());
  }

  private static String text(List<Finding> findings, String name) {
    assertThat(findings).extracting(Finding::name).containsExactly(name);
    return findings.get(0).text();
  }

  @Test
  void unknownFactsAreNoFinding() {
    assertThat(new Rules(postgresql(Map.of())).all(Optional.empty(), Optional.empty())).isEmpty();
    DatabaseFacts unknownH2 =
        new DatabaseFacts(Dialect.H2, "2.4.240", "", Map.of(), List.of(), List.of());
    assertThat(new Rules(unknownH2).all(Optional.empty(), Optional.empty())).isEmpty();
  }

  @Test
  void aMissingIndexIsFoundWithTheScriptThatHasIt() {
    DatabaseFacts lacking =
        new DatabaseFacts(
            Dialect.H2, "2.4.240", "", Map.of(), List.of("a_key"), List.of("one_ix", "two_ix"));

    assertThat(text(findings(lacking), "missing-index"))
        .isEqualTo(
            "The outbox's tables lack the index one_ix, two_ix, so reads are slow. Create it as in %s."
                .formatted(Dialect.H2.script("outbox")));
  }

  @Test
  void anH2ThatIsNotDurableIsFound() {
    assertThat(text(findings(h2("2.5.252 (2026)", "jdbc:h2:file:x", "0")), "h2-version"))
        .contains("and messages with them", "2.4.240");
    assertThat(text(findings(h2("2.4.240", "jdbc:h2:file:x", "500")), "h2-write-delay"))
        .contains("up to 500 ms", "loses messages", ";WRITE_DELAY=0");
    assertThat(text(findings(h2("2.4.240", "jdbc:h2:mem:x", "500")), "h2-in-memory"))
        .contains("all of it is gone", "jdbc:h2:file:");
    assertThat(findings(h2("2.4.240", "jdbc:h2:file:x", "0"))).isEmpty();
  }

  @Test
  void xaIsFoundOnH2Alone() {
    DatabaseFacts h2 = h2("2.4.240", "jdbc:h2:file:x", "0");
    assertThat(text(new Rules(h2).all(Optional.of(true), Optional.of(true)), "h2-xa"))
        .contains("type=\"javax.sql.DataSource\"");
    assertThat(new Rules(postgresql(Map.of())).all(Optional.of(true), Optional.of(true))).isEmpty();
  }

  @Test
  void postgresqlBeforeVersion14IsFound() {
    assertThat(
            text(
                findings(postgresql(Map.of("server_version_num", "139999"))), "postgresql-version"))
        .contains("13.1", "older than 14", "the outbox was tested");
    assertThat(findings(postgresql(Map.of("server_version_num", "140000")))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "fsync, postgresql-fsync, Set fsync=on.",
    "full_page_writes, postgresql-full-page-writes, Set full_page_writes=on.",
    "synchronous_commit, postgresql-synchronous-commit, a crash loses messages",
  })
  void durabilitySettingsThatAreOffAreFound(String setting, String name, String advice) {
    assertThat(text(findings(postgresql(Map.of(setting, "off"))), name))
        .contains("PostgreSQL runs with " + setting + "=off", advice);
    assertThat(findings(postgresql(Map.of(setting, "on")))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerThatRecoversLateIsFound(boolean recovers) {
    List<Finding> findings =
        new Rules(postgresql(Map.of())).all(Optional.of(false), Optional.of(recovers));

    assertThat(findings)
        .extracting(Finding::name)
        .isEqualTo(recovers ? List.of() : List.of("transaction-recovery"));
  }

  @Test
  void anotherVersionOfTheCollationIsFound() {
    String text =
        text(
            findings(
                postgresql(
                    Map.of("collation_version", "2.31", "collation_actual_version", "2.36"))),
            "postgresql-collation-version");

    assertThat(text).contains("2.31", "2.36", "REINDEX");
  }

  @Test
  void theSameVersionOfTheCollationOrNoneIsNoFinding() {
    assertThat(
            findings(
                postgresql(
                    Map.of("collation_version", "2.36", "collation_actual_version", "2.36"))))
        .isEmpty();
    assertThat(findings(postgresql(Map.of("collation_actual_version", "2.36")))).isEmpty();
  }
}
