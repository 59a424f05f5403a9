package io.postbox.inbox.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.log.RecordedError;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailureLinesTest {
  private static final Duration A_MOMENT = Duration.ofMillis(1);
  private static final Pattern HELD_BACK = Pattern.compile("IBX0122 (\\d+) more .*");

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // it may overflow
  private final FailureLines failures = new FailureLines(nanos::get);
  private final LogLines lines = new LogLines();

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void fewFailuresAreAllLogged() {
    for (int i = 1; i <= FailureLines.FIRST; i++) {
      fail("shipping", Kind.FAILED, "no stock");
    }
    pass(FailureLines.QUIET);
    failures.tellHeldBack();

    assertThat(ids()).hasSize(FailureLines.FIRST).containsOnly("IBX0008");
  }

  @Test
  void ofManyTheNumberIsLoggedWhenTheyHaveEnded() {
    fail(100, "shipping", Kind.FAILED, "no stock");
    fail(3, "shipping", Kind.TRANSIENT, "no stock");
    failures.tellHeldBack();
    assertThat(ids()).as("it goes on").hasSize(11).containsOnly("IBX0008");

    pass(FailureLines.QUIET);
    failures.tellHeldBack();
    failures.tellHeldBack();

    assertThat(lines.all()).hasSize(12);
    assertThat(lines.all().get(11))
        .startsWith(
            "IBX0122 92 more attempts of the consumer 'shipping' were rolled back within 1s")
        .contains("(FAILED 90, TRANSIENT 2)")
        .contains("0 of them have causes that were not logged")
        .contains("The last was attempt 1 at message m-1 (TRANSIENT). Reason: no stock");
  }

  @Test
  void theFirstOfEachBurstIsLoggedAlsoIfNobodyHasAskedForTheNumberBetween() {
    fail(100, "shipping", Kind.FAILED, "no stock");
    pass(FailureLines.QUIET);
    fail("shipping", Kind.FAILED, "no stock");

    assertThat(ids()).hasSize(12).endsWith("IBX0122", "IBX0008");
    assertThat(heldBack()).isEqualTo(90);
  }

  @Test
  void anotherCauseIsLoggedInTheMiddleOfABurst() {
    fail(100, "shipping", Kind.TRANSIENT, "deadlock");
    fail("shipping", Kind.FAILED, "no stock");
    fail("shipping", Kind.FAILED, "no stock");

    assertThat(lines.all()).hasSize(11).last().asString().contains("(FAILED)", "no stock");
  }

  @Test
  void consumersDoNotHideEachOther() {
    fail(100, "shipping", Kind.FAILED, "no stock");
    fail("billing", Kind.FAILED, "no stock");

    assertThat(lines.all()).hasSize(11).last().asString().contains("'billing'");
  }

  @Test
  void aBurstThatDoesNotEndIsLoggedOnceAMinute() {
    int failed = 0;
    for (Duration past = Duration.ZERO; past.toMinutes() < 10; past = past.plusSeconds(1)) {
      fail(10, "shipping", Kind.FAILED, "no stock");
      failed += 10;
      pass(Duration.ofSeconds(1).minus(A_MOMENT.multipliedBy(10)));
      failures.tellHeldBack();
    }
    failures.stop();

    assertThat(ids()).filteredOn("IBX0122"::equals).hasSize(10);
    assertThat(ids()).filteredOn("IBX0008"::equals).hasSize(10 * FailureLines.FIRST);
    assertThat(heldBack() + 10 * FailureLines.FIRST).isEqualTo(failed);
  }

  @Test
  void causesWithoutEndFillNothingAndAreSaidToBeMissing() {
    for (char one = 'a'; one <= 'z'; one++) {
      for (char other = 'a'; other <= 'z'; other++) {
        fail("shipping", Kind.FAILED, "no " + one + other);
      }
    }
    failures.stop();

    int untold = 26 * 26 - FailureLines.CAUSES;
    assertThat(ids()).hasSize(FailureLines.CAUSES + 1);
    assertThat(lines.all())
        .last()
        .asString()
        .startsWith("IBX0122 " + untold)
        .contains(untold + " of them have causes that were not logged");
  }

  @Test
  void failuresAfterTheStopAreLogged() {
    fail(100, "shipping", Kind.FAILED, "no stock");
    failures.stop();
    assertThat(heldBack()).isEqualTo(90);

    fail(20, "shipping", Kind.FAILED, "no stock");

    assertThat(ids()).hasSize(11 + 20);
  }

  private void fail(int times, String consumer, Kind kind, String reason) {
    for (int i = 0; i < times; i++) {
      fail(consumer, kind, reason);
    }
  }

  private void fail(String consumer, Kind kind, String reason) {
    pass(A_MOMENT);
    failures.tell(
        new Failure(
            consumer, "m-1", 1, kind, null, new RecordedError(reason, "", "", reason), 0, false));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private List<String> ids() {
    return lines.all().stream().map(line -> line.substring(0, 7)).toList();
  }

  private long heldBack() {
    List<Long> counts = new ArrayList<>();
    for (String line : lines.all()) {
      Matcher number = HELD_BACK.matcher(line);
      if (number.matches()) {
        counts.add(Long.parseLong(number.group(1)));
      }
    }
    return counts.stream().mapToLong(Long::longValue).sum();
  }
}
