package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.BatchProcessor.Outcome;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneGroupsTest {
  private static final Lane D = new Lane(0, "d");
  private static final Lane E = new Lane(0, "e");
  private static final Lane F = new Lane(0, "f");

  private final LaneGroups groups = new LaneGroups(true);

  @Test
  void lanesOfWhichNothingIsKnownShareAPass() {
    assertThat(groups.next(List.of(D, E, F))).containsExactly(D, E, F);
  }

  @Test
  void aSeparateLaneNeitherJoinsOthersNorIsJoined() {
    groups.separate(E);
    assertThat(groups.next(List.of(D, E, F))).containsExactly(D, F);
    assertThat(groups.next(List.of(E, D, F))).containsExactly(E);
  }

  @Test
  void aLaneStaysSeparateUntilItIsDrained() {
    groups.separate(D);
    for (Outcome outcome : List.of(Outcome.BUSY, Outcome.BLOCKED, Outcome.MORE)) {
      groups.passedAlone(D, outcome);
      assertThat(groups.next(List.of(D, E))).as("after %s", outcome).containsExactly(D);
    }
    groups.passedAlone(D, Outcome.DRAINED);
    assertThat(groups.next(List.of(D, E))).containsExactly(D, E);
  }

  @Test
  void aLaneWithMoreThanABatchBecomesSeparate() {
    groups.passedAlone(D, Outcome.MORE);
    assertThat(groups.next(List.of(E, D))).containsExactly(E);
  }

  @Test
  void lanesWithoutWorkAreForgotten() {
    groups.separate(D);
    groups.separate(E);
    groups.withWork(Set.of(E, F));
    assertThat(groups.next(List.of(D, E, F))).containsExactly(D, F);
  }

  @Test
  void aPassIsBounded() {
    List<Lane> many = IntStream.range(0, 10_000).mapToObj(i -> new Lane(0, "d" + i)).toList();
    assertThat(groups.next(many)).isEqualTo(many.subList(0, LaneGroups.MOST_LANES));
  }

  @Test
  void withoutSharingEachLaneIsAlone() {
    assertThat(new LaneGroups(false).next(List.of(D, E))).containsExactly(D);
  }
}
