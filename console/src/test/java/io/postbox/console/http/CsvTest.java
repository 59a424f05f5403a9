package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonReader;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTest {
  private static String csv(String json) {
    try (JsonReader reader = Json.createReader(new StringReader(json))) {
      JsonArray items = reader.readArray();
      return Csv.of(items);
    }
  }

  @Test
  void aListHasALineOfNamesAndOneForEachObject() {
    assertThat(
            csv(
                """
                [{"id":"a","attempts":3},
                 {"id":"b","error":"say \\"no\\", then\\ngo","node":{"name":"x"},"attempts":-1}]
                """))
        .isEqualTo(
            """
            "id","attempts","error","node"\r
            "a","3",,\r
            "b","-1","say ""no"", then
            go","{""name"":""x""}"\r
            """);
  }

  @Test
  void anEmptyListIsAnEmptyLine() {
    assertThat(csv("[]")).isEqualTo("\r\n");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      value = {
        "=HYPERLINK(1), '=HYPERLINK(1)",
        "+1, '+1",
        "-1+1, '-1+1",
        "@SUM(1), '@SUM(1)",
        "~\t=1~, ~'\t=1~",
        "~  =1~, ~'  =1~",
        "＝1, '＝1",
        "|calc, '|calc",
        "a=1, a=1",
        "4711, 4711",
      })
  void aTextIsNeverAFormula(String text, String cell) {
    String json =
        Json.createArrayBuilder().add(Json.createObjectBuilder().add("x", text)).build().toString();
    assertThat(csv(json)).isEqualTo("\"x\"\r\n\"" + cell + "\"\r\n");
  }
}
