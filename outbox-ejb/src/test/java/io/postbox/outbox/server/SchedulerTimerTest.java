package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.ejb.EJBException;
import jakarta.ejb.TimerService;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server that gives no timers: Open Liberty does so a moment before it stops the bean. */
class SchedulerTimerTest {
  private final AtomicInteger asked = new AtomicInteger();
  private final SchedulerTimer timer = new SchedulerTimer();

  private void serverThatRefuses(Runnable meanwhile) {
    timer.timers =
        (TimerService)
            Proxy.newProxyInstance(
                TimerService.class.getClassLoader(),
                new Class<?>[] {TimerService.class},
                (proxy, method, arguments) -> {
                  asked.incrementAndGet();
                  meanwhile.run();
                  throw new EJBException("the application stops");
                });
  }

  private void stop() {
    assertThatThrownBy(timer::stop)
        .as("nothing is injected that it could stop")
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void aStopThatFollowsTheRefusalIsNoError() {
    serverThatRefuses(() -> new Thread(this::stop).start());

    timer.run();
    assertThat(asked).hasValue(1);
    timer.run();
    assertThat(asked).as("after the stop").hasValue(1);
  }

  @Test
  void aRefusalWithoutAStopIsTold() {
    timer.patience = Duration.ofMillis(1);
    serverThatRefuses(() -> {});

    assertThatThrownBy(timer::run).isInstanceOf(EJBException.class);
  }
}
