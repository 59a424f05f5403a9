package io.postbox.inbox.ops;

import static io.postbox.inbox.ops.UncleanShutdowns.BEAT;
import static io.postbox.inbox.ops.UncleanShutdowns.OVERDUE;
import static io.postbox.inbox.ops.UncleanShutdowns.WARY;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.message.Heartbeat;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UncleanShutdownsTest {
  private final UncleanShutdowns shutdowns = new UncleanShutdowns();
  private final Map<String, Duration> alive = new LinkedHashMap<>();
  private Duration now = Duration.ofDays(3);

  @Test
  void nobodyIsWaryOfProcessesThatAreHeardOf() {
    alive.put("a", now);
    assertThat(look()).isEmpty();
    for (int i = 0; i < 100; i++) {
      now = now.plus(BEAT);
      alive.put("a", now.minus(BEAT)); // its beat is about to come
      assertThat(look()).isEmpty();
    }
    assertThat(isWary()).isFalse();
  }

  @Test
  void aNodeSilentBeforeTheStartIsNoticedAtOnce() {
    alive.put("a", now.minus(OVERDUE));
    alive.put("b", now.minus(Duration.ofHours(20)));

    assertThat(look()).containsExactlyInAnyOrder("a", "b");
    assertThat(isWary()).isTrue();
  }

  @Test
  void theStartAfterAQuickRestartIsWaryAFewSecondsLater() {
    alive.put("a", now.minus(OVERDUE).plusMillis(1));
    assertThat(look()).isEmpty();
    now = now.plus(BEAT);

    assertThat(look()).containsExactly("a");
  }

  @Test
  void itIsOverAfterAWhileAndBeginsAnewWithTheNext() {
    alive.put("a", now.minus(OVERDUE));
    look();
    pass(WARY.minus(BEAT));
    assertThat(isWary()).isTrue();
    alive.put("b", now);
    pass(BEAT);
    assertThat(isWary()).isFalse();
    pass(OVERDUE);
    assertThat(isWary()).as("b has died too").isTrue();
    pass(WARY.minus(BEAT.multipliedBy(2)));
    assertThat(isWary()).isTrue();
    pass(BEAT);
    assertThat(isWary()).isFalse();
  }

  @Test
  void oneThatComesBackIsNoneUntilItDiesIndeed() {
    look();
    alive.put("frozen", now.minus(OVERDUE));
    now = now.plus(BEAT);
    assertThat(look()).containsExactly("frozen");
    now = now.plus(BEAT);
    alive.put("frozen", now);
    look();
    assertThat(isWary()).isFalse();
    now = now.plus(BEAT);
    look();
    now = now.plus(BEAT);

    assertThat(look()).containsExactly("frozen");
  }

  /** A database that was away kept the others from being heard of, too. */
  @Test
  void aNodeThatSawNothingForAWhileGivesTheOthersTime() {
    alive.put("alive", now);
    alive.put("dies", now);
    look();
    now = now.plus(Duration.ofMinutes(1));
    assertThat(look()).as("the database is back").isEmpty();
    assertThat(isWary()).isFalse();
    now = now.plus(BEAT);
    alive.put("alive", now);
    assertThat(look()).isEmpty();
    now = now.plus(BEAT);
    alive.put("alive", now);

    assertThat(look()).containsExactly("dies");
  }

  @Test
  void aNodeNoticedBeforeAnOutageStaysSo() {
    alive.put("a", now.minus(OVERDUE));
    look();
    now = now.plus(Duration.ofMinutes(1));

    assertThat(look()).isEmpty();
    assertThat(isWary()).isTrue();
  }

  /** The database's clock was set back: the next beat shows that a node lives. */
  @Test
  void aHeartbeatInTheFutureIsNone() {
    alive.put("a", now.plus(Duration.ofHours(1)));

    assertThat(look()).containsExactly("a");
  }

  @Test
  void aNodeOffTheRecordHasEndedInOrder() {
    alive.put("a", now.minus(OVERDUE));
    look();
    alive.clear();
    now = now.plus(BEAT);
    look();

    assertThat(isWary()).isFalse();
  }

  private void pass(Duration time) {
    for (Duration end = now.plus(time); now.compareTo(end) < 0; ) {
      now = now.plus(BEAT);
      look();
    }
  }

  private Set<String> look() {
    List<Heartbeat> others =
        alive.entrySet().stream()
            .map(one -> new Heartbeat(one.getKey(), now.minus(one.getValue())))
            .toList();
    return shutdowns.look(others, now.toNanos());
  }

  private boolean isWary() {
    return shutdowns.areRecent(now.toNanos());
  }
}
