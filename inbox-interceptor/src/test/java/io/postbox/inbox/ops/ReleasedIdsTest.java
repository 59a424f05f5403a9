package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.store.KeptRows.Unreleased;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReleasedIdsTest {
  private static final String CONTENT = "11".repeat(32);

  private final SettableClock clock = new SettableClock();

  @Test
  void rowsOfOneMessageHaveOneIdHoweverLateTheyAreReleased() {
    ReleasedIds ids = ids("none");
    UUID first = ids.of(row("shipping", null, "ID:1", CONTENT));
    clock.advance(Duration.ofDays(100));

    assertThat(ids.of(row("shipping", null, "ID:1", CONTENT))).isEqualTo(first);
    assertThat(ids("none").of(row("shipping", null, "ID:1", CONTENT))).isEqualTo(first);
    assertThat(first.version()).isEqualTo(8);
  }

  @Test
  void everyDifferenceMakesAnotherId() {
    ReleasedIds ids = ids("none");

    assertThat(
            new UUID[] {
              ids.of(row("shipping", null, "ID:1", CONTENT)),
              ids.of(row("billing", null, "ID:1", CONTENT)),
              ids.of(row("shipping", null, "ID:2", CONTENT)),
              ids.of(row("shipping", null, "ID:1", "ee".repeat(32))),
              ids.of(row("shipping", "ID:1", "ID:1", CONTENT))
            })
        .doesNotHaveDuplicates();
  }

  @Test
  void aMessageResentUnderItsProducersIdIsOneMessage() {
    ReleasedIds ids = ids("none");

    assertThat(ids.of(row("shipping", "id-1", "ID:2", CONTENT)))
        .isEqualTo(ids.of(row("shipping", "id-1", "ID:1", CONTENT)));
  }

  @Test
  void whereNothingTellsWhatARowIsOfItHasAnIdOfItsOwn() {
    ReleasedIds ids = ids("none");

    assertThat(ids.of(row("shipping", null, "", CONTENT)))
        .isNotEqualTo(ids.of(row("shipping", null, "", CONTENT)));
  }

  @Test
  void anIdTellsItsDayWhereIdsAreRememberedByDay() {
    ReleasedIds ids = ids("daily");
    Instant midnight = clock.instant();
    UUID first = ids.of(row("shipping", null, "ID:1", CONTENT));
    clock.advance(Duration.ofHours(23));
    assertThat(ids.of(row("shipping", null, "ID:1", CONTENT))).isEqualTo(first);
    assertThat(first.version()).isEqualTo(7);
    assertThat(first.getMostSignificantBits() >>> 16).isEqualTo(midnight.toEpochMilli());

    clock.advance(Duration.ofHours(1));
    assertThat(ids.of(row("shipping", null, "ID:1", CONTENT)).getMostSignificantBits() >>> 16)
        .isEqualTo(midnight.plus(Duration.ofDays(1)).toEpochMilli());
  }

  /** The properties are nothing but the id that the broker gave. */
  private ReleasedIds ids(String partitions) {
    return new ReleasedIds(
        TestConfig.shop(Map.of("table-partitioning", partitions)),
        properties -> properties.isEmpty() ? Optional.empty() : Optional.of(properties),
        clock);
  }

  private static Unreleased row(
      String consumer, @Nullable String messageId, String brokersId, String sha256) {
    return new Unreleased(
        consumer, messageId, new Fingerprint(1, sha256), BodyType.TEXT, false, brokersId);
  }
}
