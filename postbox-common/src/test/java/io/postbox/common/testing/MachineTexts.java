package io.postbox.common.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * No SQL, JSON or line of the log depends on the JVM's locale, charset or time zone. The compiler
 * refuses most of what does (pom.xml: DefaultLocale and its like); these rules are for what it does
 * not see: format strings that are put together at run time, the statements' own functions, and the
 * ways to ask for the defaults themselves.
 */
public final class MachineTexts {
  private static final Set<String> DEFAULTS =
      Set.of(
          "java.nio.charset.Charset.defaultCharset",
          "java.time.ZoneId.systemDefault",
          "java.time.format.DateTimeFormatter.ofLocalizedDate",
          "java.time.format.DateTimeFormatter.ofLocalizedDateTime",
          "java.time.format.DateTimeFormatter.ofLocalizedTime",
          "java.util.Locale.getDefault",
          "java.util.TimeZone.getDefault");

  private static final Set<String> OF_THE_DEFAULTS =
      Set.of(
          "java.sql.Date",
          "java.sql.Time",
          "java.sql.Timestamp",
          "java.text.MessageFormat",
          "java.util.Calendar",
          "java.util.Date",
          "java.util.GregorianCalendar");

  /** All but those that no locale changes. */
  private static final Pattern SPECIFIER =
      Pattern.compile("%(\\d+\\$)?[-#+ 0,(<]*\\d*(\\.\\d+)?[a-zA-Z&&[^bchnsBCHN]]");

  private static final Pattern FOLDING = Pattern.compile("\\b(LOWER|UPPER|INITCAP)\\s*\\(");

  @ArchTest
  static final ArchRule nobodyAsksForTheDefaults =
      noClasses()
          .should()
          .accessTargetWhere(
              describe(
                  "it is a default of the JVM",
                  (JavaAccess<?> access) ->
                      DEFAULTS.contains(
                          access.getTargetOwner().getName() + "." + access.getName())));

  @ArchTest
  static final ArchRule noTypeGoesByTheDefaults =
      noClasses()
          .should()
          .dependOnClassesThat(
              describe(
                  "go by the default locale or zone",
                  (JavaClass type) -> OF_THE_DEFAULTS.contains(type.getName())));

  @ArchTest
  static final ArchRule noFormatNeedsALocaleThatItsClassDoesNotName =
      classes()
          .that(describe("format without a locale", MachineTexts::formatsWithoutALocale))
          .should(haveNoTextWith(SPECIFIER));

  /** H2 does it by the JVM's locale: under a Turkish one, ID is not id. */
  @ArchTest
  static final ArchRule noStatementChangesTheCaseOfLetters =
      classes().should(haveNoTextWith(FOLDING));

  private MachineTexts() {}

  private static boolean formatsWithoutALocale(JavaClass type) {
    return type.getAccessesFromSelf().stream()
        .anyMatch(
            access ->
                access.getTargetOwner().isEquivalentTo(String.class)
                    && (access.getName().equals("formatted")
                        || access
                            .getTarget()
                            .getFullName()
                            .startsWith("java.lang.String.format(java.lang.String")));
  }

  private static ArchCondition<JavaClass> haveNoTextWith(Pattern pattern) {
    return new ArchCondition<>("have no text with %s", pattern) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (String text : texts(type)) {
          if (pattern.matcher(text.replace("%%", "")).find()) {
            events.add(SimpleConditionEvent.violated(type, type.getName() + " has: " + text));
          }
        }
      }
    };
  }

  /** The strings in a class's file, its own and those that it puts together. */
  private static List<String> texts(JavaClass type) {
    List<String> texts = new ArrayList<>();
    type.getSource()
        .ifPresent(
            source -> {
              try (DataInputStream in = new DataInputStream(source.getUri().toURL().openStream())) {
                readTexts(in, texts::add);
              } catch (IOException unreadable) {
                throw new UncheckedIOException(type.getName(), unreadable);
              }
            });
    return texts;
  }

  /** The format is that of the Java Virtual Machine Specification, 4.1 and 4.4. */
  private static void readTexts(DataInputStream in, Consumer<String> texts) throws IOException {
    in.skipNBytes(8);
    int constants = in.readUnsignedShort();
    for (int i = 1; i < constants; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts.accept(in.readUTF());
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++;
        }
        default -> throw new IOException("Constant " + i + " has the unknown tag " + tag);
      }
    }
  }
}
