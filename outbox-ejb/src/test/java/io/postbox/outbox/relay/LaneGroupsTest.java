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

  private static final Lane G = new Lane(1, "d");
  private static final Lane H = new Lane(1, "e");

  private final LaneGroups groups = new LaneGroups(true);

  private List<Lane> next(List<Lane> ofOnePartition) {
    return groups.next(List.of(ofOnePartition));
  }

  @Test
  void lanesOfWhichNothingIsKnownShareAPass() {
    assertThat(next(List.of(D, E, F))).containsExactly(D, E, F);
  }

  @Test
  void aSeparateLaneNeitherJoinsOthersNorIsJoined() {
    groups.separate(E);
    assertThat(next(List.of(D, E, F))).containsExactly(D, F);
    assertThat(next(List.of(E, D, F))).containsExactly(E);
  }

  @Test
  void aLaneStaysSeparateUntilItIsDrained() {
    groups.separate(D);
    for (Outcome outcome : List.of(Outcome.BUSY, Outcome.BLOCKED, Outcome.MORE)) {
      groups.passedAlone(D, outcome);
      assertThat(next(List.of(D, E))).as("after %s", outcome).containsExactly(D);
    }
    groups.passedAlone(D, Outcome.DRAINED);
    assertThat(next(List.of(D, E))).containsExactly(D, E);
  }

  @Test
  void aLaneWithMoreThanABatchBecomesSeparate() {
    groups.passedAlone(D, Outcome.MORE);
    assertThat(next(List.of(E, D))).containsExactly(E);
  }

  @Test
  void lanesWithoutWorkAreForgotten() {
    groups.separate(D);
    groups.separate(E);
    groups.withWork(Set.of(E, F));
    assertThat(next(List.of(D, E, F))).containsExactly(D, F);
  }

  @Test
  void aPassIsBounded() {
    List<Lane> many = IntStream.range(0, 10_000).mapToObj(i -> new Lane(0, "d" + i)).toList();
    assertThat(next(many)).isEqualTo(many.subList(0, LaneGroups.MOST_LANES));
  }

  @Test
  void withoutSharingEachLaneIsAlone() {
    assertThat(new LaneGroups(false).next(List.of(List.of(D, E), List.of(G)))).containsExactly(D);
  }

  @Test
  void lanesOfSeveralPartitionsShareAPass() {
    assertThat(groups.next(List.of(List.of(D, E), List.of(G, H)))).containsExactly(D, E, G, H);
  }

  /** Or it would wait until no other partition has work. */
  @Test
  void aPartitionWhoseTurnIsASeparateLanesIsLeftOut() {
    groups.separate(G);
    assertThat(groups.next(List.of(List.of(D), List.of(G, H), List.of(E)))).containsExactly(D, E);
    assertThat(groups.next(List.of(List.of(D), List.of(H, G)))).containsExactly(D, H);
    assertThat(groups.next(List.of(List.of(G, H), List.of(D)))).containsExactly(G);
  }

  @Test
  void aPassOfSeveralPartitionsIsBounded() {
    List<List<Lane>> many =
        IntStream.range(0, 500).mapToObj(i -> List.of(new Lane(i, "d"), new Lane(i, "e"))).toList();
    assertThat(groups.next(many)).hasSize(LaneGroups.MOST_LANES);
  }
}
