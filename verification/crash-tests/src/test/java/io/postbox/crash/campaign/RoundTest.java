package io.postbox.crash.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.crash.faults.BackendFault;
import io.postbox.crash.faults.BackendFault.Harm;
import io.postbox.crash.faults.CrashPoint;
import io.postbox.crash.faults.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundTest {
  @Test
  void aSeedAlwaysMeansTheSameRounds() {
    List<Fault> faults = Mode.H2.faults();
    assertThat(Round.draw(42, faults, 20)).isEqualTo(Round.draw(42, faults, 100).subList(0, 20));
    assertThat(Round.draw(42, faults, 20)).isNotEqualTo(Round.draw(43, faults, 20));
  }

  @Test
  void everyFaultHasItsTurnBeforeOneHasASecond() {
    List<Fault> faults = Mode.RELAY_XA.faults();
    assertThat(Round.draw(42, faults, 3 * faults.size()).subList(0, faults.size()))
        .extracting(Round::fault)
        .containsExactlyInAnyOrderElementsOf(faults);
    assertThat(faults)
        .contains(CrashPoint.XA_DECIDED, new BackendFault("BROKER", Harm.SILENT))
        .doesNotContain(CrashPoint.H2_COMMITTED, CrashPoint.OWN_COMMITTED);
  }
}
