package io.postbox.common.ops;

import io.postbox.common.testing.Golden;
import io.postbox.common.testing.SettableClock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanTokensGoldenTest {
  private final PlanTokens tokens =
      new PlanTokens("shop", new byte[32], new SettableClock(), (who, why) -> {});

  @Test
  void aPlanOfAnotherNodeIsAccepted() {
    Golden.of("plan-tokens")
        .holds(
            Stream.of(List.of(), List.of("PARKED", 9L, "shipping ✓", Instant.EPOCH))
                .map(
                    content ->
                        HexFormat.of()
                            .formatHex(
                                tokens.mac(
                                    UUID.fromString("018f6f3a-0000-7000-8000-000000000001"),
                                    "ada",
                                    Instant.parse("2026-11-22T08:00:00Z"),
                                    content))));
  }
}
