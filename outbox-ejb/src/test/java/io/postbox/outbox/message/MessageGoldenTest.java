package io.postbox.outbox.message;

import io.postbox.common.testing.Golden;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contents of other releases' rows, and where these releases look for them. */
class MessageGoldenTest {
  @Test
  void aKeyKeepsItsPartition() {
    Golden.of("partitioning")
        .holds(
            Stream.of(
                    "shipping|Order/1",
                    "shipping|Order/2",
                    "invoices|Order/1",
                    "ship|ping",
                    "lager-süd|Größe/✓",
                    "a|b")
                .map(MessageGoldenTest::partitions));
  }

  private static String partitions(String destinationAndKey) {
    String[] parts = destinationAndKey.split("\\|");
    return destinationAndKey
        + Stream.of(1, 2, 7, 16, 1_000, 1_024, Integer.MAX_VALUE)
            .map(each -> " " + new Partitioning(each).of(parts[0], parts[1]) + "/" + each)
            .reduce("", String::concat);
  }

  @Test
  void headersKeepTheirForm() {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Object value :
        new Object[] {
          "text ✓ \"", true, (byte) 1, (short) 2, 3, 4L, 1.5f, 2.5d, Double.NaN, Long.MIN_VALUE
        }) {
      properties.put("p" + properties.size(), value);
    }
    Golden.of("headers")
        .holds(
            Stream.of(
                    Headers.NONE,
                    new Headers("c-1", "replies", 7L, "congo=t61", Map.of()),
                    new Headers(null, null, null, null, properties))
                .map(Headers::toJson));
  }
}
