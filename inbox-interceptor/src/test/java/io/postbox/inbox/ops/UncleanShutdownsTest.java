package io.postbox.inbox.ops;

import static io.postbox.inbox.ops.UncleanShutdowns.BEAT;
import static io.postbox.inbox.ops.UncleanShutdowns.OVERDUE;
import static io.postbox.inbox.ops.UncleanShutdowns.SOON;
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
  private static final Duration LONG_AGO = Duration.ofDays(1);

  private final UncleanShutdowns shutdowns = new UncleanShutdowns();
  private final Map<String, Life> lives = new LinkedHashMap<>();
  private Duration now = Duration.ofDays(3);

  private record Life(Duration born, Duration lastHeardOf) {}

  private void heardOf(String node, Duration at) {
    Life known = lives.get(node);
    lives.put(node, new Life(known == null ? LONG_AGO : known.born(), at));
  }

  private void lived(String node, Duration from, Duration to) {
    lives.put(node, new Life(from, to));
  }

  @Test
  void nobodyIsWaryOfProcessesThatAreHeardOf() {
    heardOf("a", now);
    heardOf("b", now);
    assertThat(look()).isEmpty();
    for (int i = 0; i < 100; i++) {
      now = now.plus(BEAT);
      heardOf("a", now.minus(BEAT)); // its beat is about to come
      heardOf("b", now.minus(BEAT));
      assertThat(look()).isEmpty();
    }
    assertThat(isWary()).isFalse();
  }

  @Test
  void oneThatDiedIsNoSignOfAMessageThatKills() {
    heardOf("a", now.minus(OVERDUE));
    assertThat(look()).isEmpty();
    pass(WARY);
    assertThat(isWary()).isFalse();
  }

  @Test
  void twoThatDiedSoonAfterEachOtherBeforeTheStartAreNoticedAtOnce() {
    heardOf("a", now.minus(OVERDUE).minus(SOON));
    heardOf("b", now.minus(OVERDUE));

    assertThat(look()).containsExactly("a", "b");
    assertThat(isWary()).isTrue();
  }

  @Test
  void oneThatDiedLongAfterTheOtherIsNoSignEither() {
    heardOf("a", now.minus(OVERDUE).minus(SOON).minusNanos(1));
    heardOf("b", now.minus(OVERDUE));

    assertThat(look()).isEmpty();
    assertThat(isWary()).isFalse();
  }

  /** Whoever starts the server again may come hours later. */
  @Test
  void oneThatDiedSoonAfterItsStartFollowedTheOtherSoonHoweverLongNobodyRan() {
    lived("a", LONG_AGO, now.minus(Duration.ofHours(9)));
    lived("b", now.minus(Duration.ofMinutes(2)), now.minus(Duration.ofMinutes(1)));

    assertThat(look()).containsExactly("a", "b");
  }

  /**
   * In a cluster each start may be under a new name, and would be wary of the same two for a day.
   */
  @Test
  void onceAProcessHasStartedAfterThemAndLivedThroughItTheyAreNoSignAnyMore() {
    Duration started = now.minus(WARY).minus(OVERDUE);
    heardOf("a", started.minusMinutes(1));
    heardOf("b", started);
    lived("c", started, now);

    assertThat(look()).isEmpty();
    assertThat(isWary()).isFalse();
  }

  @Test
  void oneThatHasNotLivedForSoLongSaysNothing() {
    heardOf("a", now.minus(Duration.ofMinutes(15)));
    heardOf("b", now.minus(Duration.ofMinutes(15)));
    lived("c", now.minus(WARY).minus(OVERDUE).plusMillis(1), now);

    assertThat(look()).containsExactly("a", "b");
  }

  /** Perhaps it does not have that consumer. */
  @Test
  void norDoesOneThatRanBefore() {
    heardOf("a", now.minus(Duration.ofHours(3)));
    heardOf("b", now.minus(Duration.ofHours(3)));
    heardOf("c", now);

    assertThat(look()).containsExactly("a", "b");
  }

  @Test
  void theStartAfterAQuickRestartIsWaryAFewSecondsLater() {
    heardOf("a", now.minus(Duration.ofMinutes(1)));
    heardOf("b", now.minus(OVERDUE).plusMillis(1));
    assertThat(look()).isEmpty();
    now = now.plus(BEAT);

    assertThat(look()).containsExactly("a", "b");
  }

  @Test
  void itIsOverAfterAWhileAndBeginsAnewWithTheNext() {
    heardOf("a", now.minus(OVERDUE));
    heardOf("b", now.minus(OVERDUE));
    look();
    pass(WARY.minus(BEAT));
    assertThat(isWary()).isTrue();
    heardOf("c", now);
    pass(BEAT);
    assertThat(isWary()).isFalse();
    pass(OVERDUE);
    assertThat(isWary()).as("c has died too").isTrue();
    pass(WARY.minus(BEAT.multipliedBy(2)));
    assertThat(isWary()).isTrue();
    pass(BEAT);
    assertThat(isWary()).isFalse();
  }

  @Test
  void oneThatComesBackIsNoneUntilItDiesIndeed() {
    heardOf("a", now.minus(OVERDUE));
    look();
    heardOf("frozen", now.minus(OVERDUE));
    now = now.plus(BEAT);
    assertThat(look()).containsExactly("a", "frozen");
    now = now.plus(BEAT);
    heardOf("frozen", now);
    look();
    assertThat(isWary()).isFalse();
    now = now.plus(BEAT);
    look();
    now = now.plus(BEAT);

    assertThat(look()).containsExactly("a", "frozen");
  }

  /** A database that was away kept the others from being heard of, too. */
  @Test
  void aNodeThatSawNothingForAWhileGivesTheOthersTime() {
    heardOf("dead", now.minus(OVERDUE));
    heardOf("alive", now);
    heardOf("dies", now);
    look();
    now = now.plus(Duration.ofMinutes(1));
    assertThat(look()).as("the database is back").isEmpty();
    assertThat(isWary()).isFalse();
    now = now.plus(BEAT);
    heardOf("alive", now);
    assertThat(look()).isEmpty();
    now = now.plus(BEAT);
    heardOf("alive", now);

    assertThat(look()).containsExactly("dead", "dies");
  }

  @Test
  void nodesNoticedBeforeAnOutageStaySo() {
    heardOf("a", now.minus(OVERDUE));
    heardOf("b", now.minus(OVERDUE));
    look();
    now = now.plus(Duration.ofMinutes(1));

    assertThat(look()).isEmpty();
    assertThat(isWary()).isTrue();
  }

  /** The database's clock was set back: the next beat shows that a node lives. */
  @Test
  void aHeartbeatInTheFutureIsNone() {
    heardOf("a", now.plus(Duration.ofMinutes(10)));
    heardOf("b", now.minus(OVERDUE));

    assertThat(look()).containsExactly("a", "b");
  }

  @Test
  void aNodeOffTheRecordHasEndedInOrder() {
    heardOf("a", now.minus(OVERDUE));
    heardOf("b", now.minus(OVERDUE));
    look();
    lives.remove("a");
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
        lives.entrySet().stream()
            .map(
                one ->
                    new Heartbeat(
                        one.getKey(),
                        now.minus(one.getValue().lastHeardOf()),
                        one.getValue().lastHeardOf().minus(one.getValue().born())))
            .toList();
    return shutdowns.look(others, now.toNanos());
  }

  private boolean isWary() {
    return shutdowns.areSuspicious(now.toNanos());
  }
}
