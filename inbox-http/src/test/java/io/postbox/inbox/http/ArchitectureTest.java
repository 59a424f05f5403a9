package io.postbox.inbox.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import io.postbox.common.testing.ExceptionTexts;
import io.postbox.common.testing.MachineTexts;

@AnalyzeClasses(packagesOf = Idempotent.class, importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest static final ArchTests machineTexts = ArchTests.in(MachineTexts.class);

  @ArchTest
  static final ArchRule itNeedsOnlyTheServerAndTheInbox =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "java..", "jakarta..", "io.postbox.inbox..", "io.postbox.common..", "org.jspecify..");

  @ArchTest
  static final ArchRule everyStatementIsTheInboxs =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.sql..", "javax.sql..", "jakarta.persistence..", "io.postbox.inbox.store..");

  @ArchTest
  static final ArchRule onlyWhatUsersOrTheServerNameIsPublic =
      classes()
          .that()
          .arePublic()
          .should()
          .haveNameMatching(
              ".*\\.(Idempotent|IdempotencyScope|IdempotencyFilter|IdempotencyInitializer|IdempotentExtension|IdempotentFeature)");

  @ArchTest
  static final ArchRule whatIsStoredKnowsNoServer =
      noClasses()
          .that()
          .haveSimpleName("Answer")
          .or()
          .haveSimpleName("KeyHeader")
          .or()
          .haveSimpleName("RunningRequests")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta..");

  /** So that a server without REST starts an application with the jar. */
  @ArchTest
  static final ArchRule onlyTheChecksOfRestMethodsNeedRest =
      noClasses()
          .that()
          .haveNameNotMatching(".*\\.(IdempotentExtension|IdempotentFeature)(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta.ws.rs..");

  @ArchTest static final ArchRule noExceptionsTextIsRead = ExceptionTexts.areNotRead();
}
