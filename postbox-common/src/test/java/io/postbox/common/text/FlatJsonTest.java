package io.postbox.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlatJsonTest {
  @Test
  void fieldsAreReadAsTheyWereWritten() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("kind", "a \"quoted\" \\ {,}: text");
    fields.put("empty", "");
    fields.put("place.1", "Größe\n😀 100% a+b");

    String json = FlatJson.of(fields);

    assertThat(FlatJson.parse(json)).containsExactlyEntriesOf(fields);
    assertThat(json).startsWith("{\"kind\":\"").endsWith("\"}").isASCII();
    assertThat(FlatJson.parse("{}")).isEmpty();
  }

  @Test
  void otherJsonHasNoFields() {
    assertThat(FlatJson.parse("{\"gaps\":[{\"id\":\"5% off\",\"kind\":\"PARKED\"}]}")).isEmpty();
  }
}
