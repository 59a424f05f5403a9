package io.postbox.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.MessageLife;
import io.postbox.inbox.MessageLife.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InboxSearchTest {
  private static final Instant NOW = Instant.parse("2026-11-23T22:00:00Z");

  private static FoundMessage row(Place place, long row, String consumer) {
    return new FoundMessage(
        place,
        OptionalLong.of(row),
        consumer,
        Optional.of("m-1"),
        NOW,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Optional<String> link(Kind kind, List<FoundMessage> rows) {
    MessageLife.Event event =
        new MessageLife.Event(
            NOW, kind, "shipping", Optional.empty(), Optional.empty(), Optional.empty());
    return InboxSearch.event(event, rows).link();
  }

  @ParameterizedTest
  @CsvSource({
    "PARKED, #/parked/501",
    "BUFFERED, #/parked/501",
    "QUARANTINED, #/quarantined/501",
  })
  void anEventLeadsToTheRowThatIsKept(Place place, String page) {
    assertThat(
            link(
                Kind.valueOf(place.name()),
                List.of(row(place, 7, "orders"), row(place, 501, "shipping"))))
        .contains(page);
  }

  @Test
  void anEventWithoutARowLeadsNowhere() {
    assertThat(link(Kind.BEGUN, List.of(row(Place.PARKED, 501, "shipping")))).isEmpty();
  }
}
