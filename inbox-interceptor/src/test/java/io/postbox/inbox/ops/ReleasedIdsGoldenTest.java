package io.postbox.inbox.ops;

import io.postbox.common.testing.Golden;
import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.store.KeptRows.Unreleased;
import java.util.Map;
import java.util.Optional;
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
                        Stream.of(row(null), row("id-1"))
                            .map(row -> partitions + " " + ids(partitions).of(row))));
  }

  private static ReleasedIds ids(String partitions) {
    SettableClock clock = new SettableClock();
    return new ReleasedIds(
        TestConfig.shop(Map.of("table-partitioning", partitions)), Optional::of, clock);
  }

  private static Unreleased row(@Nullable String messageId) {
    return new Unreleased(
        "shipping", messageId, new Fingerprint(2, "11".repeat(32)), BodyType.TEXT, false, "ID:1");
  }
}
