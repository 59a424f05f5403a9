package io.postbox.console;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import io.postbox.common.ErasureRefusedException;
import io.postbox.common.testing.ExceptionTexts;
import io.postbox.common.testing.MachineTexts;
import java.util.Set;

/** The console uses the modules as every application does, and each half without the other. */
@AnalyzeClasses(
    packages = "io.postbox.console",
    importOptions = ImportOption.DoNotIncludeTests.class)
class RoomsTest {
  @ArchTest static final ArchTests machineTexts = ArchTests.in(MachineTexts.class);

  /** The last three are no API, but how all of Postbox's code spells, logs and prints. */
  private static final Set<String> PUBLIC =
      Set.of(
          "io.postbox.common",
          "io.postbox.outbox",
          "io.postbox.inbox",
          "io.postbox.common.config",
          "io.postbox.common.log",
          "io.postbox.common.text");

  @ArchTest
  static final ArchRule onlyTheModulesPublicApiIsUsed =
      noClasses()
          .should()
          .dependOnClassesThat(
              describe(
                  "are rooms of a module",
                  (JavaClass type) ->
                      type.getPackageName().startsWith("io.postbox.")
                          && !type.getPackageName().startsWith("io.postbox.console")
                          && !PUBLIC.contains(type.getPackageName())));

  @ArchTest
  static final ArchRule theOutboxsHalfDoesNotNeedTheInbox =
      noClasses()
          .that()
          .resideInAPackage("io.postbox.console.outbox..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.postbox.inbox..", "io.postbox.console.inbox..");

  @ArchTest
  static final ArchRule theInboxsHalfDoesNotNeedTheOutbox =
      noClasses()
          .that()
          .resideInAPackage("io.postbox.console.inbox..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.postbox.outbox..", "io.postbox.console.outbox..");

  @ArchTest
  static final ArchRule whatBothShareNeedsNeither =
      noClasses()
          .that()
          .resideInAnyPackage("io.postbox.console.api..", "io.postbox.console.http..")
          .and()
          .doNotHaveSimpleName("ConsoleApplication")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.postbox.outbox..", "io.postbox.inbox..");

  @ArchTest
  static final ArchRule requestsAreLookedAtWithoutTheApi =
      noClasses()
          .that()
          .resideInAPackage("io.postbox.console.http..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.postbox.console.api..");

  @ArchTest
  static final ArchRule noExceptionsTextIsRead =
      ExceptionTexts.areNotRead(ErasureRefusedException.class);
}
