package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvFilterTest {
  @ParameterizedTest
  @CsvSource({
    "/audit, audit",
    "outbox/dead-letters/, dead-letters",
    "/audit;x\";filename*=UTF-8setup.hta;y=, audit",
    "/audit;jsessionid=abc, audit",
    "/audit;a/b.exe, audit",
    "/destinations/setup.hta, list",
  })
  void aFileIsNamedAfterItsListAlone(String path, String name) {
    assertThat(CsvFilter.fileName(path)).isEqualTo(name);
  }
}
