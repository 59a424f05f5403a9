package io.postbox.inbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.http.RunningRequests.RequestKey;
import io.postbox.inbox.http.RunningRequests.Turn;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunningRequestsTest {
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final RequestKey ID = new RequestKey("till", "k");

  private final RunningRequests running = new RunningRequests(2);

  @Test
  void oneOfEachIdRuns() throws InterruptedException {
    assertThat(running.await(ID, SHORT)).isNotNull();
    assertThat(running.await(ID, SHORT)).isNull();
    assertThat(running.await(new RequestKey("till", "l"), SHORT)).isNotNull();
    assertThat(running.await(new RequestKey("desk", "k"), SHORT)).isNotNull();
  }

  @Test
  void whenItIsKnownAllThatWaitGoOnAtOnce() throws Exception {
    Turn first = now();
    CompletableFuture<@Nullable Turn> one = later();
    CompletableFuture<@Nullable Turn> other = later();
    awaitFull();
    first.end(true);

    assertThat(one.get(20, TimeUnit.SECONDS)).isNotNull();
    assertThat(other.get(20, TimeUnit.SECONDS)).isNotNull();
    assertThat(now()).as("the next one").isNotNull();
  }

  @Test
  void whenItIsNotKnownTheyGoOnOneAfterAnother() throws Exception {
    Turn first = now();
    CompletableFuture<@Nullable Turn> one = later();
    CompletableFuture<@Nullable Turn> other = later();
    awaitFull();
    first.end(false);

    CompletableFuture.anyOf(one, other).get(20, TimeUnit.SECONDS);
    assertThat(one.isDone() && other.isDone()).isFalse();
    CompletableFuture<@Nullable Turn> next = one.isDone() ? one : other;
    Objects.requireNonNull(next.join()).end(false);
    assertThat(one.get(20, TimeUnit.SECONDS)).isNotNull();
    assertThat(other.get(20, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void requestsAboveTheLimitAreAnsweredAtOnce() throws Exception {
    Turn first = now();
    CompletableFuture<@Nullable Turn> one = later();
    CompletableFuture<@Nullable Turn> other = later();
    awaitFull();

    assertThat(running.await(ID, LONG)).isNull();
    first.end(true);
    CompletableFuture.allOf(one, other).get(20, TimeUnit.SECONDS);
    assertThat(running.waiting()).as("their places are free again").isZero();
  }

  @Test
  void anEndedTurnEndsOnlyItself() throws Exception {
    Turn first = now();
    first.end(false);
    Turn second = now();
    first.end(true);

    assertThat(running.await(ID, SHORT)).isNull();
    second.end(true);
    assertThat(running.await(ID, SHORT)).isNotNull();
  }

  private Turn now() throws InterruptedException {
    return Objects.requireNonNull(running.await(ID, SHORT));
  }

  private CompletableFuture<@Nullable Turn> later() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return running.await(ID, LONG);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        task -> new Thread(task, "waits").start());
  }

  private void awaitFull() {
    while (running.waiting() < 2) {
      Thread.onSpinWait();
    }
  }
}
