package io.postbox.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.HostileSent;
import io.postbox.testkit.model.Event.Marked;
import io.postbox.testkit.model.Event.Resent;
import io.postbox.testkit.model.Event.Unanswered;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final UUID ID = new UUID(0, 7);

  private final History history = new History();

  @Test
  void everythingIsThereAsItHappened() {
    Duration asked = history.now();
    Acknowledged acknowledged = history.acknowledged(asked, 7, ID, "BOOK-1", 2);
    history.unanswered(asked, "BOOK-2", 3, 503, "starting");
    history.resent(7, "202");
    history.mark("server-1", "killed");
    history.hostile(HostileMessage.HUGE, ID, true);

    List<Event> events = history.events();
    assertThat(events)
        .containsExactly(
            new Acknowledged(acknowledged.at(), asked, 7, ID, "BOOK-1", 2),
            new Unanswered(events.get(1).at(), asked, "BOOK-2", 3, 503, "starting"),
            new Resent(events.get(2).at(), 7, "202"),
            new Marked(events.get(3).at(), "server-1", "killed"),
            new HostileSent(events.get(4).at(), HostileMessage.HUGE, ID, true));
    assertThat(events).extracting(Event::orderId).containsExactly(7L, 0L, 7L, 0L, 0L);
  }

  @Test
  void timeBeginsWithTheHistory() {
    long before = System.nanoTime();
    History young = new History();
    Duration asked = young.now();
    Duration at = young.acknowledged(asked, 7, ID, "BOOK-1", 2).at();
    long after = System.nanoTime();

    assertThat(asked).isGreaterThanOrEqualTo(Duration.ZERO);
    assertThat(at).isBetween(asked, Duration.ofNanos(after - before));
  }

  @Test
  void eventsAreCountedByTheirKind() {
    history.resent(7, "202");
    history.resent(8, "202");
    history.mark("server-1", "killed");

    assertThat(history.count(Resent.class)).isEqualTo(2);
    assertThat(history.count(Marked.class)).isEqualTo(1);
    assertThat(history.count(Acknowledged.class)).isZero();
    assertThat(history.count(Event.class)).isEqualTo(3);
  }

  @Test
  void readEventsDoNotChange() {
    List<Event> before = history.events();
    history.mark("server-1", "killed");

    assertThat(before).isEmpty();
  }
}
