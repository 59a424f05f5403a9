package io.postbox.sample.journey;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.sample.journey.Leg.InOutbox;
import io.postbox.sample.journey.Leg.Kept;
import io.postbox.sample.journey.Leg.Status;
import io.postbox.sample.journey.Station.State;
import io.postbox.sample.orders.OrderStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StationsTest {
  private static final Instant PLACED = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant SENT = PLACED.plusMillis(20);
  private static final Instant FAILED = PLACED.plusMillis(40);
  private static final Instant HANDLED = PLACED.plusMillis(60);
  private static final Instant ANSWERED = PLACED.plusMillis(90);

  @ParameterizedTest
  @CsvSource({
    "WAITING, HERE",
    "PAUSED, WAITS",
    "CIRCUIT_OPEN, WAITS",
    "HELD, WAITS",
    "DEAD, STOPPED",
    "DISCARDED, STOPPED"
  })
  void aMessageInTheOutboxIsNowhereElse(Status status, State state) {
    Leg leg = new Given().in(status).leg();

    List<Station> stations = stations(OrderStatus.PLACED, false, leg);

    assertThat(states(stations)).isEqualTo("DONE %s AHEAD AHEAD AHEAD AHEAD".formatted(state));
    assertThat(stations.get(1).fact()).isEqualTo(status.name());
  }

  @Test
  void aSentAndUnhandledMessageIsInTheQueue() {
    List<Station> stations = stations(OrderStatus.PLACED, false, new Given().sent().leg());
    assertThat(states(stations)).isEqualTo("DONE DONE HERE AHEAD AHEAD AHEAD");
    assertThat(stations.get(1).at()).contains(SENT);
  }

  @Test
  void aFailureBringsTheMessageAgain() {
    List<Station> stations = stations(OrderStatus.PLACED, false, new Given().sent().failed().leg());
    assertThat(states(stations)).isEqualTo("DONE DONE WAITS WAITS AHEAD AHEAD");
    assertThat(stations.get(3).fact()).isEqualTo("ROLLED_BACK");
    assertThat(stations.get(3).at()).contains(FAILED);
  }

  @Test
  void aParkedMessageHasLeftTheQueueAndStops() {
    Leg leg = new Given().sent().failed().parked().leg();
    List<Station> stations = stations(OrderStatus.PLACED, false, leg);
    assertThat(states(stations)).isEqualTo("DONE DONE DONE STOPPED AHEAD AHEAD");
    assertThat(facts(stations)).containsSubsequence("DELIVERED", "PARKED");
  }

  @Test
  void theShipmentIsBookedWhenTheInboxHasRecordedTheMessage() {
    List<Station> stations = stations(OrderStatus.PLACED, true, new Given().sent().handled().leg());
    assertThat(states(stations)).isEqualTo("DONE DONE DONE DONE DONE HERE");
    assertThat(stations.get(3).at()).isEqualTo(stations.get(4).at()).contains(HANDLED);
  }

  @Test
  void anEmptyShelfIsAnAnswerToo() {
    Leg leg = new Given().sent().handled().leg();
    assertThat(facts(stations(OrderStatus.PLACED, false, leg))).contains("REJECTED");
  }

  @Test
  void theAnswerEndsTheJourney() {
    Leg reply = new Given().sent().handledAt(ANSWERED).leg();

    List<Station> stations =
        Stations.of(
            PLACED,
            OrderStatus.SHIPPED,
            true,
            new Given().sent().handled().leg(),
            Optional.of(reply));

    assertThat(states(stations)).isEqualTo("DONE DONE DONE DONE DONE DONE");
    assertThat(stations.get(5).at()).contains(ANSWERED);
  }

  @Test
  void anAnswerProvesWhatTheInboxHasForgottenAndNoNodeRemembers() {
    List<Station> stations = stations(OrderStatus.SHIPPED, true, new Given().leg());
    assertThat(states(stations)).isEqualTo("DONE DONE DONE DONE DONE DONE");
    assertThat(stations.stream().skip(1).map(Station::at)).allMatch(Optional::isEmpty);
  }

  @Test
  void aDiscardEndsTheJourneyThere() {
    List<Station> stations =
        stations(OrderStatus.PLACED, false, new Given().sent().handled().discarded().leg());
    assertThat(states(stations)).isEqualTo("DONE DONE DONE STOPPED AHEAD AHEAD");
  }

  @ParameterizedTest
  @EnumSource(names = {"PAUSED", "CIRCUIT_OPEN", "HELD", "DEAD"})
  void aReplyThatIsHeldUpWaits(Status status) {
    Leg reply = new Given().in(status).leg();

    List<Station> stations =
        Stations.of(
            PLACED,
            OrderStatus.PLACED,
            true,
            new Given().sent().handled().leg(),
            Optional.of(reply));

    assertThat(states(stations)).isEqualTo("DONE DONE DONE DONE DONE WAITS");
  }

  private static List<Station> stations(OrderStatus status, boolean shipped, Leg out) {
    return Stations.of(PLACED, status, shipped, out, Optional.empty());
  }

  private static String states(List<Station> stations) {
    assertThat(stations.stream().map(Station::name)).containsExactly(Station.Name.values());
    return String.join(" ", stations.stream().map(each -> each.state().name()).toList());
  }

  private static List<String> facts(List<Station> stations) {
    return stations.stream().map(Station::fact).toList();
  }

  /** Puts together what is known of a message. */
  private static final class Given {
    private Optional<InOutbox> inOutbox = Optional.empty();
    private Optional<Instant> sentAt = Optional.empty();
    private Optional<Instant> handledAt = Optional.empty();
    private boolean discarded;
    private List<Instant> failures = List.of();
    private Optional<Kept> parked = Optional.empty();

    Given in(Status status) {
      inOutbox = Optional.of(new InOutbox(status, Optional.empty()));
      return this;
    }

    Given sent() {
      sentAt = Optional.of(SENT);
      return this;
    }

    Given failed() {
      failures = Arrays.asList(FAILED.minusMillis(5), FAILED);
      return this;
    }

    Given parked() {
      parked = Optional.of(new Kept(1, HANDLED));
      return this;
    }

    Given handled() {
      return handledAt(HANDLED);
    }

    Given handledAt(Instant at) {
      handledAt = Optional.of(at);
      return this;
    }

    Given discarded() {
      discarded = true;
      return this;
    }

    Leg leg() {
      return new Leg(
          "id", inOutbox, sentAt, 1, handledAt, discarded, failures, parked, List.of(), 0);
    }
  }
}
