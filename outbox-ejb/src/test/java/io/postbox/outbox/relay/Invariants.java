package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.StoredMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules that must hold for everything that a broker received. */
final class Invariants {
  private Invariants() {}

  static void assertInOrderPerKey(List<StoredMessage> received) {
    Map<String, Long> last = new HashMap<>();
    for (StoredMessage message : received) {
      String line = message.destination() + " " + message.envelope().orderingKey();
      if (message.envelope().orderingKey() != null) {
        Long before = last.put(line, message.seq());
        assertThat(before == null || before < message.seq()).as(line).isTrue();
      }
    }
  }
}
