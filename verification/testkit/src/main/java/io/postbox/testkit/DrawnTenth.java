package io.postbox.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.zip.CRC32;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * With {@code -Dtenth=} and a digit, leaves a tenth of the classes that have something with the tag
 * "full" or "crash"; {@code -Dtenth=all} leaves them all, and so ten builds with one digit each.
 * The class's name alone says in which tenth it is. A class that draws its inputs itself is in
 * each.
 */
public final class DrawnTenth implements PostDiscoveryFilter {
  private static final int TENTHS = 10;
  private static final Set<TestTag> DIVIDED =
      Set.of(TestTag.create("full"), TestTag.create("crash"));
  private static final TestTag DRAWS = TestTag.create("draws");

  private final String chosen;

  /** Made by JUnit. */
  public DrawnTenth() {
    this(System.getProperty("postbox.tenth", "all"));
  }

  DrawnTenth(String chosen) {
    this.chosen = chosen;
  }

  @Override
  public FilterResult apply(TestDescriptor test) {
    boolean always =
        chosen.equals("all")
            || test.getTags().stream().noneMatch(DIVIDED::contains)
            || test.getTags().contains(DRAWS);
    return FilterResult.includedIf(always || isIn(test, Integer.parseInt(chosen)));
  }

  private static boolean isIn(TestDescriptor test, int tenth) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(source -> tenthOf(((MethodSource) source).getClassName()) == tenth)
        .orElse(true);
  }

  static int tenthOf(String className) {
    CRC32 sum = new CRC32();
    sum.update(className.getBytes(StandardCharsets.UTF_8));
    return (int) (sum.getValue() % TENTHS);
  }
}
