package io.postbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PortsTest {

  @Test
  void aPortIsGivenOnceAndNobodyListensOnIt() throws Exception {
    Set<Integer> given = new HashSet<>();
    for (int i = 0; i < 120; i++) {
      int port = Ports.next();
      assertThat(given.add(port)).as("%s is given for the first time", port).isTrue();
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
  }

  @Test
  void aPortOnWhichSomebodyListensIsNotGiven() throws Exception {
    int before = Ports.next();
    try (ServerSocket taken = new ServerSocket(before + 1, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.next()).isNotEqualTo(taken.getLocalPort());
    }
  }

  @Test
  void anotherJvmIsGivenOthers() throws Exception {
    Set<Integer> here = Stream.generate(Ports::next).limit(60).collect(Collectors.toSet());
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Others.class.getName())
            .redirectErrorStream(true)
            .start();
    String printed = new String(other.getInputStream().readAllBytes());
    assertThat(other.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(printed.lines().map(Integer::valueOf)).hasSize(60).doesNotContainAnyElementsOf(here);
  }

  /** Runs in a JVM of its own. */
  static final class Others {
    public static void main(String[] arguments) {
      Stream.generate(Ports::next).limit(60).forEach(System.out::println);
    }

    private Others() {}
  }
}
