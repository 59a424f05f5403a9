package io.postbox.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  @Test
  void itKeepsTablesValuesAndPlotsBesideEachOther(@TempDir Path folder) {
    Report report = new Report("drain", "A drain", List.of("a machine"));
    report.beginTable("per second");
    report.row("both, chained", new Figures(List.of(2.0, 1.0, 3.0)), "%.0f");
    report.plot(
        "workers",
        new Plot(
            "By workers",
            "workers",
            "per second",
            List.of("1"),
            List.of(new Plot.Line("relay", List.of(1.0)))));
    report.write(folder);
    assertThat(folder.resolve("drain.md"))
        .content()
        .contains("# A drain", "- a machine", "| both, chained | 2 | 2 1 3 |")
        .contains("![By workers](drain-workers.svg)");
    assertThat(folder.resolve("drain.csv"))
        .hasContent(
            """
            measured,unit,round,value
            "both, chained",per second,1,2.0
            "both, chained",per second,2,1.0
            "both, chained",per second,3,3.0
            """);
    assertThat(folder.resolve("drain-workers.svg")).content().startsWith("<svg ");
  }
}
