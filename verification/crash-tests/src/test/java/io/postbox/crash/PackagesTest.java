package io.postbox.crash;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Each package uses only those beneath it, here and in testkit. */
@AnalyzeClasses(packages = {"io.postbox.crash", "io.postbox.testkit"})
class PackagesTest {
  @ArchTest
  static final ArchRule CRASH =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.postbox.crash..", "io.postbox.testkit..")
          .layer("testkit")
          .definedBy("io.postbox.testkit..")
          .layer("deployed")
          .definedBy("io.postbox.crash.deployed")
          .layer("load")
          .definedBy("io.postbox.crash.load")
          .layer("report")
          .definedBy("io.postbox.crash.report")
          .layer("topology")
          .definedBy("io.postbox.crash.topology")
          .layer("faults")
          .definedBy("io.postbox.crash.faults")
          .layer("campaign")
          .definedBy("io.postbox.crash.campaign")
          .layer("soak")
          .definedBy("io.postbox.crash.soak")
          .layer("bugs")
          .definedBy("io.postbox.crash.bugs")
          .layer("scenario")
          .definedBy("io.postbox.crash.scenario")
          .layer("all")
          .definedBy("io.postbox.crash")
          .whereLayer("testkit")
          .mayNotAccessAnyLayer()
          .whereLayer("deployed")
          .mayOnlyAccessLayers("testkit")
          .whereLayer("load")
          .mayOnlyAccessLayers("testkit", "deployed")
          .whereLayer("report")
          .mayOnlyAccessLayers("testkit")
          .whereLayer("topology")
          .mayOnlyAccessLayers("testkit", "deployed", "load", "report")
          .whereLayer("faults")
          .mayOnlyAccessLayers("testkit", "deployed", "report", "topology")
          .whereLayer("campaign")
          .mayOnlyAccessLayers("testkit", "deployed", "load", "report", "topology", "faults")
          .whereLayer("soak")
          .mayOnlyAccessLayers("testkit", "report", "topology", "faults", "campaign")
          .whereLayer("bugs")
          .mayOnlyAccessLayers("testkit", "load", "topology", "faults", "campaign")
          .whereLayer("scenario")
          .mayOnlyAccessLayers("testkit", "load", "topology", "faults");

  @ArchTest
  static final ArchRule TESTKIT =
      slices().matching("io.postbox.testkit.(*)..").should().beFreeOfCycles();
}
