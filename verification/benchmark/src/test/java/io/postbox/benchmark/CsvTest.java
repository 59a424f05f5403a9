package io.postbox.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CsvTest {
  @Test
  void eachLineHasItsFieldsAsTheyAre() {
    Csv csv = new Csv("what", "value");
    csv.line("relay", 7185.5);
    assertThat(csv).hasToString("what,value\nrelay,7185.5\n");
  }

  @Test
  void aFieldThatWouldBeReadAsSeveralIsQuoted() {
    Csv csv = new Csv("what");
    csv.line("both, chained");
    csv.line("a \"fair\" floor");
    csv.line("two\nlines");
    assertThat(csv)
        .hasToString("what\n\"both, chained\"\n\"a \"\"fair\"\" floor\"\n\"two\nlines\"\n");
  }
}
