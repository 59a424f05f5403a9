package io.postbox.crash;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import io.postbox.common.testing.MachineTexts;

/** For the modules whose own tests are without rules; the others' have these among them. */
@AnalyzeClasses(
    packages = {"io.postbox.sample", "io.postbox.testkit"},
    importOptions = DoNotIncludeTests.class)
class MachineTextsTest {
  @ArchTest static final ArchTests machineTexts = ArchTests.in(MachineTexts.class);
}
