package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ThreadPerTaskExecutorTest {

  @Test
  void noThreadIsGivenASecondTask() throws Exception {
    ExecutorService executor = ThreadPerTaskExecutor.oneEach(Executors.defaultThreadFactory());
    Set<Thread> threads = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      threads.add(executor.submit(Thread::currentThread).get());
    }
    executor.shutdown();

    assertThat(threads).hasSize(100);
  }
}
