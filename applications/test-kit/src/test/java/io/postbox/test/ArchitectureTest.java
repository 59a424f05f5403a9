package io.postbox.test;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import io.postbox.common.testing.MachineTexts;
import java.sql.Connection;
import java.util.Set;

/** The rooms of the kit, and its small API. */
@AnalyzeClasses(packages = "io.postbox.test", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest static final ArchTests machineTexts = ArchTests.in(MachineTexts.class);

  private static final Set<String> STATEMENTS =
      Set.of("prepareStatement", "createStatement", "prepareCall");

  @ArchTest
  static final ArchRule everySqlStatementIsInTheStore =
      noClasses()
          .that()
          .resideOutsideOfPackage("..store..")
          .should()
          .callMethodWhere(
              describe(
                  "an SQL statement is made",
                  (JavaMethodCall call) ->
                      call.getTargetOwner().isAssignableTo(Connection.class)
                          && STATEMENTS.contains(call.getName())));

  @ArchTest
  static final ArchRule theRoomsAreFreeOfCycles =
      slices().matching("io.postbox.test.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule noRoomKnowsTheApi =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.postbox.test")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.postbox.test");

  @ArchTest
  static final ArchRule onlyWhatUsersOrWeldNameIsPublic =
      classes()
          .that()
          .resideInAPackage("io.postbox.test")
          .and()
          .arePublic()
          .should()
          .haveNameMatching(
              ".*\\.(Deliveries|InboxHarness|OutboxAssert|Point|Postbox|PostboxEnricher|PostboxTest|RecordingOutbox|TestClock)");

  @ArchTest
  static final ArchRule onlyWhatReplacesAServerKnowsItsParts =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.postbox.test", "..database..", "..cdi..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.arjuna..", "io.agroal..", "org.jboss.weld..");
}
