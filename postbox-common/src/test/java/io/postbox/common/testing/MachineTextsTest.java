package io.postbox.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.time.ZoneId;
import java.util.Date;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Each rule finds what it forbids, which the compiler lets pass. */
class MachineTextsTest {
  private static boolean refuses(ArchRule rule, Class<?> type) {
    return rule.evaluate(new ClassFileImporter().importClasses(type)).hasViolation();
  }

  @Test
  void aQuestionForADefaultIsRefused() {
    assertThat(refuses(MachineTexts.nobodyAsksForTheDefaults, AsksForTheZone.class)).isTrue();
    assertThat(refuses(MachineTexts.nobodyAsksForTheDefaults, Plain.class)).isFalse();
  }

  @Test
  void aDateIsRefused() {
    assertThat(refuses(MachineTexts.noTypeGoesByTheDefaults, HasADate.class)).isTrue();
    assertThat(refuses(MachineTexts.noTypeGoesByTheDefaults, Plain.class)).isFalse();
  }

  @Test
  void anAssembledFormatOfANumberIsRefused() {
    ArchRule rule = MachineTexts.noFormatNeedsALocaleThatItsClassDoesNotName;

    assertThat(refuses(rule, AssemblesAFormat.class)).isTrue();
    assertThat(refuses(rule, Plain.class)).isFalse();
  }

  @Test
  void aStatementThatFoldsNamesIsRefused() {
    assertThat(refuses(MachineTexts.noStatementChangesTheCaseOfLetters, FoldsNames.class)).isTrue();
    assertThat(refuses(MachineTexts.noStatementChangesTheCaseOfLetters, Plain.class)).isFalse();
  }

  private record AsksForTheZone() {
    @Override
    public String toString() {
      return ZoneId.systemDefault().getId();
    }
  }

  private record HasADate(Date date) {}

  private record AssemblesAFormat(String table, int rows) {
    @Override
    public String toString() {
      return ("SELECT id FROM " + table + " FETCH FIRST %d ROWS ONLY").formatted(rows);
    }
  }

  private record FoldsNames(String table) {
    @Override
    public String toString() {
      return "SELECT LOWER(column_name) FROM " + table;
    }
  }

  private record Plain(String table, int rows) {
    @Override
    public String toString() {
      return "SELECT id, n %% 100 FROM %s FETCH FIRST %s ROWS ONLY"
          .formatted(table.toLowerCase(Locale.ROOT), rows);
    }
  }
}
