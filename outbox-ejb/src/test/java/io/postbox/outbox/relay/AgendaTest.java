package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AgendaTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private final Agenda agenda = new Agenda();

  private static Instant after(long seconds) {
    return NOW.plusSeconds(seconds);
  }

  @Test
  void theFirstLookIsAtOnce() {
    assertThat(agenda.nextLook()).isBefore(NOW);
  }

  @Test
  void whatIsDueBringsTheLookForwardButNeverPutsItOff() {
    agenda.looked(NOW, Duration.ZERO, false, false);
    agenda.looked(NOW, Duration.ZERO, false, false);
    assertThat(agenda.nextLook()).isEqualTo(after(2));

    agenda.note(after(1));
    assertThat(agenda.nextLook()).isEqualTo(after(1));
    agenda.note(after(60));
    assertThat(agenda.nextLook()).isEqualTo(after(1));
  }

  @Test
  void aLookServesWhatIsDueByThenAndNotWhatComesLater() {
    agenda.looked(NOW, Duration.ZERO, false, false);
    agenda.note(after(5));
    agenda.note(after(9));
    agenda.looking(after(5));
    agenda.note(after(6)); // learned while it looks
    agenda.looked(after(5), Duration.ZERO, false, false);
    assertThat(agenda.nextLook()).isEqualTo(after(6));
    agenda.looking(after(6));
    for (int i = 0; i < 5; i++) {
      agenda.looked(after(6), Duration.ZERO, false, false);
    }
    assertThat(agenda.nextLook()).as("the later of two retries").isEqualTo(after(9));
  }

  @Test
  void itRemembersABoundedNumberOfMomentsTheNearestFirst() {
    agenda.looked(NOW, Duration.ZERO, false, false);
    for (int i = 20_000; i > 0; i--) {
      agenda.note(NOW.plus(Duration.ofMillis(i)));
    }
    assertThat(agenda.nextLook()).isEqualTo(NOW.plusMillis(1));
  }
}
