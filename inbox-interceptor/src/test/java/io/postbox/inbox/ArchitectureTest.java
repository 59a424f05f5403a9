package io.postbox.inbox;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import io.postbox.common.testing.MachineTexts;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import java.sql.Statement;

/** The rules of the rooms. */
@AnalyzeClasses(packagesOf = Inbox.class, importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest static final ArchTests machineTexts = ArchTests.in(MachineTexts.class);

  private static final String[] SHELL = {
    "..inbox.server",
    "..inbox.jta",
    "..inbox.startup",
    "..inbox.metrics",
    "..inbox.interceptor",
    "..inbox.watch",
    "..inbox.kept"
  };

  @ArchTest
  static final ArchRule dataMovesOneWay =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.postbox.inbox..")
          .layer("api")
          .definedBy("io.postbox.inbox")
          .layer("message")
          .definedBy("..inbox.message")
          .layer("log")
          .definedBy("..inbox.log")
          .layer("config")
          .definedBy("..inbox.config")
          .layer("jms")
          .definedBy("..inbox.jms")
          .layer("receiver")
          .definedBy("..inbox.receiver")
          .layer("store")
          .definedBy("..inbox.store")
          .layer("ops")
          .definedBy("..inbox.ops")
          .layer("gate")
          .definedBy("..inbox.gate", "..inbox.check")
          .layer("check")
          .definedBy("..inbox.check")
          .layer("shell")
          .definedBy(SHELL)
          .whereLayer("shell")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("jms")
          .mayOnlyBeAccessedByLayers("shell")
          .whereLayer("check")
          .mayOnlyBeAccessedByLayers("shell")
          .whereLayer("store")
          .mayOnlyBeAccessedByLayers("shell", "ops", "check")
          .whereLayer("ops")
          .mayOnlyBeAccessedByLayers("shell")
          .whereLayer("gate")
          .mayOnlyBeAccessedByLayers("shell")
          .whereLayer("receiver")
          .mayOnlyBeAccessedByLayers("shell", "ops", "jms", "gate")
          .whereLayer("config")
          .mayOnlyBeAccessedByLayers("shell", "ops", "store", "receiver", "jms", "check")
          .whereLayer("log")
          .mayOnlyBeAccessedByLayers("shell", "receiver", "ops", "jms", "gate");

  @ArchTest
  static final ArchRule thereAreNoCycles =
      slices().matching("io.postbox.inbox.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule everyStatementIsInTheStore =
      noClasses()
          .that()
          .resideOutsideOfPackage("..inbox.store")
          .should()
          .dependOnClassesThat(
              describe(
                  "run SQL",
                  type ->
                      type.isAssignableTo(Statement.class)
                          || type.isAssignableTo(ResultSet.class)));

  @ArchTest
  static final ArchRule nobodyNeedsAPersistenceProvider =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jakarta.persistence..", "org.eclipse.persistence..");

  @ArchTest
  static final ArchRule theCoreHasNeverHeardOfTheServer =
      noClasses()
          .that()
          .resideInAnyPackage(
              "..inbox.receiver",
              "..inbox.message",
              "..inbox.store",
              "..inbox.config",
              "..inbox.gate",
              "..inbox.check")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jakarta..", "javax.naming..");

  @ArchTest
  static final ArchRule onlyTheShellLooksThingsUp =
      noClasses()
          .that()
          .resideOutsideOfPackages(SHELL)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("javax.naming..");

  @ArchTest
  static final ArchRule microProfileStaysInLeaves =
      classes()
          .that(
              describe(
                  "use metrics, health or traces",
                  (JavaClass type) ->
                      type.getDirectDependenciesFromSelf().stream()
                          .map(dependency -> dependency.getTargetClass().getPackageName())
                          .anyMatch(
                              name ->
                                  name.startsWith("io.opentelemetry")
                                      || name.startsWith("io.micrometer")
                                      || name.startsWith("org.eclipse.microprofile.metrics")
                                      || name.startsWith("org.eclipse.microprofile.health"))))
          .should()
          .bePackagePrivate();

  /** From such a method the server throws exceptions that its callers do not know of. */
  @ArchTest
  static final ArchRule noTransactionalMethodDeclaresEveryException =
      noMethods()
          .that(
              describe(
                  "have a transaction of the container's that is not caught as a whole",
                  method ->
                      (method.isAnnotatedWith(Transactional.class)
                              || method.getOwner().isAnnotatedWith(Transactional.class)
                              || method.getOwner().getAllRawSuperclasses().stream()
                                  .anyMatch(type -> type.isAnnotatedWith(Transactional.class)))
                          && !method.getOwner().getSimpleName().equals("RequiresNewTransaction")))
          .should()
          .declareThrowableOfType(Exception.class);
}
