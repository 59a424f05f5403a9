package io.postbox.common;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import io.postbox.common.testing.MachineTexts;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;

/** The common code is plain Java: several applications of a server may share it. */
@AnalyzeClasses(packages = "io.postbox.common", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest static final ArchTests machineTexts = ArchTests.in(MachineTexts.class);

  @ArchTest
  static final ArchRule itKnowsNeitherModule =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.postbox.outbox..", "io.postbox.inbox..");

  @ArchTest
  static final ArchRule itHoldsNoBeansAndNoEntities =
      classes()
          .should()
          .notBeMetaAnnotatedWith("jakarta.enterprise.context.NormalScope")
          .andShould()
          .notBeMetaAnnotatedWith("jakarta.inject.Scope")
          .andShould()
          .notBeMetaAnnotatedWith("jakarta.enterprise.inject.Stereotype")
          .andShould()
          .notBeAnnotatedWith("jakarta.interceptor.Interceptor")
          .andShould()
          .notBeAnnotatedWith("jakarta.ejb.Singleton")
          .andShould()
          .notBeAnnotatedWith("jakarta.ejb.Stateless")
          .andShould()
          .notBeAnnotatedWith("jakarta.persistence.Entity");

  @ArchTest
  static final ArchRule nothingStaticChanges = fields().that().areStatic().should().beFinal();

  @ArchTest
  static final ArchRule theRoomsAreFreeOfCycles =
      slices().matching("io.postbox.common.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule everyStatementIsInTheStore =
      noClasses()
          .that()
          .resideOutsideOfPackage("..common.store..")
          .should()
          .dependOnClassesThat(
              describe(
                  "run SQL",
                  type ->
                      type.isAssignableTo(Statement.class)
                          || type.isAssignableTo(ResultSet.class)));

  @ArchTest
  static final ArchRule onlyTheShellsPartKnowsTheServer =
      noClasses()
          .that()
          .resideOutsideOfPackage("..common.server..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jakarta..", "javax.naming..");

  /** The server may lack each of these APIs, and then must not have to load who knows it. */
  @ArchTest
  static void eachOptionalApiIsKnownToItsAdaptersAlone(JavaClasses classes) {
    Map<String, String> adapters =
        Map.of(
            "org.eclipse.microprofile..", "MicroProfile",
            "io.micrometer..", "MicrometerMeters",
            "io.opentelemetry..", "OpenTelemetry");
    adapters.forEach(
        (api, adapter) ->
            noClasses()
                .that()
                .haveNameNotMatching("io\\.postbox\\.common\\.telemetry\\." + adapter + ".*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(api)
                .check(classes));
  }
}
