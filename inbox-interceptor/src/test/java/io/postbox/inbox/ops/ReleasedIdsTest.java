package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReleasedIdsTest {
  private static final String CONTENT = "11".repeat(32);

  private final SettableClock clock = new SettableClock();

  @Test
  void rowsOfOneMessageHaveOneIdHoweverLateTheyAreReleased() {
    ReleasedIds ids = ids("none");
    UUID first = ids.of("shipping", null, print(CONTENT), "ID:1");
    clock.advance(Duration.ofDays(100));

    assertThat(ids.of("shipping", null, print(CONTENT), "ID:1")).isEqualTo(first);
    assertThat(ids("none").of("shipping", null, print(CONTENT), "ID:1")).isEqualTo(first);
    assertThat(first.version()).isEqualTo(8);
  }

  @Test
  void everyDifferenceMakesAnotherId() {
    ReleasedIds ids = ids("none");

    assertThat(
            new UUID[] {
              ids.of("shipping", null, print(CONTENT), "ID:1"),
              ids.of("billing", null, print(CONTENT), "ID:1"),
              ids.of("shipping", null, print(CONTENT), "ID:2"),
              ids.of("shipping", null, print("ee".repeat(32)), "ID:1"),
              ids.of("shipping", "ID:1", print(CONTENT), "ID:1")
            })
        .doesNotHaveDuplicates();
  }

  @Test
  void aMessageResentUnderItsProducersIdIsOneMessage() {
    ReleasedIds ids = ids("none");

    assertThat(ids.of("shipping", "id-1", print(CONTENT), "ID:2"))
        .isEqualTo(ids.of("shipping", "id-1", print(CONTENT), "ID:1"));
  }

  @Test
  void whereNothingTellsWhatARowIsOfItHasAnIdOfItsOwn() {
    ReleasedIds ids = ids("none");

    assertThat(ids.of("shipping", null, print(CONTENT), ""))
        .isNotEqualTo(ids.of("shipping", null, print(CONTENT), ""));
  }

  @Test
  void anIdTellsItsDayWhereIdsAreRememberedByDay() {
    ReleasedIds ids = ids("daily");
    Instant midnight = clock.instant();
    UUID first = ids.of("shipping", null, print(CONTENT), "ID:1");
    clock.advance(Duration.ofHours(23));
    assertThat(ids.of("shipping", null, print(CONTENT), "ID:1")).isEqualTo(first);
    assertThat(first.version()).isEqualTo(7);
    assertThat(first.getMostSignificantBits() >>> 16).isEqualTo(midnight.toEpochMilli());

    clock.advance(Duration.ofHours(1));
    assertThat(ids.of("shipping", null, print(CONTENT), "ID:1").getMostSignificantBits() >>> 16)
        .isEqualTo(midnight.plus(Duration.ofDays(1)).toEpochMilli());
  }

  /** The properties are nothing but the id that the broker gave. */
  private ReleasedIds ids(String partitions) {
    return new ReleasedIds(
        TestConfig.shop(Map.of("table-partitioning", partitions)),
        properties -> properties.isEmpty() ? Optional.empty() : Optional.of(properties),
        clock);
  }

  private static Fingerprint print(String sha256) {
    return new Fingerprint(1, sha256);
  }
}
