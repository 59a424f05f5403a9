package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReadsTest {
  private static final int SEARCHES = 40;

  private final Reads reads = new Reads(Duration.ZERO);

  private String asked(String person) throws InterruptedException {
    return reads.begin(person).map(Problem::slug).orElse("runs");
  }

  @Test
  void fortySearchesOfOnePersonRunTwoAtATime() throws InterruptedException {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < SEARCHES; i++) {
      answers.add(asked("ada"));
    }

    assertThat(answers.subList(0, Reads.MOST_OF_ONE)).containsOnly("runs");
    assertThat(answers.subList(Reads.MOST_OF_ONE, SEARCHES)).containsOnly("too-many-reads");
    assertThat(asked("bob")).as("somebody else").isEqualTo("runs");
    reads.end("ada");
    assertThat(asked("ada")).as("after one has ended").isEqualTo("runs");
  }

  @Test
  void fortySearchesOfManyPeopleHoldFourConnections() throws InterruptedException {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < SEARCHES; i++) {
      answers.add(asked("person " + i));
    }

    assertThat(answers.subList(0, Reads.MOST)).containsOnly("runs");
    assertThat(answers.subList(Reads.MOST, SEARCHES)).containsOnly("busy");
    reads.end("person 0");
    assertThat(asked("person 39")).isEqualTo("runs");
  }

  @Test
  void aFewReadsWaitForTheirTurn() throws Exception {
    Reads patient = new Reads(Duration.ofHours(1));
    ExecutorService threads = Executors.newFixedThreadPool(Reads.MOST_WAITING);
    try {
      for (int i = 0; i < Reads.MOST_OF_ONE; i++) {
        assertThat(patient.begin("ada")).isEmpty();
      }
      List<CompletableFuture<Optional<Problem>>> waiting =
          Stream.generate(
                  () -> CompletableFuture.supplyAsync(() -> beganAndEnded(patient), threads))
              .limit(Reads.MOST_WAITING)
              .toList();
      while (patient.waiting("ada") < Reads.MOST_WAITING) {
        Thread.yield();
      }
      assertThat(patient.begin("ada")).as("one too many").isPresent();
      for (int i = 0; i < Reads.MOST_OF_ONE; i++) {
        patient.end("ada");
      }
      for (CompletableFuture<Optional<Problem>> each : waiting) {
        assertThat(each.get(1, TimeUnit.MINUTES)).isEmpty();
      }
      assertThat(patient.waiting("ada")).isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  private static Optional<Problem> beganAndEnded(Reads reads) {
    try {
      Optional<Problem> refused = reads.begin("ada");
      if (refused.isEmpty()) {
        reads.end("ada");
      }
      return refused;
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
