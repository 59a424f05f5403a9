package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.guard.InboxMeters;
import io.postbox.inbox.guard.InboxMeters.Outcome;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.ops.Counters;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllMetersTest {

  @Test
  void oneThatFailsIsLoggedAndHurtsNoOther() {
    Counters counters = new Counters();
    InboxMeters broken =
        (consumer, outcome) -> {
          throw new IllegalStateException("no registry");
        };

    try (LogLines lines = new LogLines()) {
      new AllMeters(List.of(broken, counters)).count("shipping", Outcome.SKIPPED);

      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0007 ")
          .contains("'shipping'", "SKIPPED", "no registry");
    }
    assertThat(counters.of("shipping", Outcome.SKIPPED)).isEqualTo(1);
  }
}
