package io.postbox.inbox.ops;

import io.postbox.common.testing.Golden;
import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Fingerprint;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReleasedIdsGoldenTest {
  @Test
  void aQuarantinedMessageGetsTheSameIdOnEveryNode() {
    Golden.of("released-ids")
        .holds(
            Stream.of("none", "daily")
                .flatMap(
                    partitions ->
                        Stream.of(null, "id-1").map(id -> partitions + " " + of(partitions, id))));
  }

  private static ReleasedIds ids(String partitions) {
    SettableClock clock = new SettableClock();
    return new ReleasedIds(
        TestConfig.shop(Map.of("table-partitioning", partitions)), Optional::of, clock);
  }

  private static UUID of(String partitions, @Nullable String messageId) {
    return ids(partitions).of("shipping", messageId, new Fingerprint(2, "11".repeat(32)), "ID:1");
  }
}
