package io.postbox.crash.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The campaign's faults of a network, with an echo server behind it. */
class LinkTest {
  private final ServerSocket echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Link link = new Link("test", echo.getLocalPort());

  LinkTest() throws IOException {}

  @BeforeEach
  void answer() {
    Thread thread =
        new Thread(
            () -> {
              while (!echo.isClosed()) {
                try {
                  Socket socket = echo.accept();
                  new Thread(() -> sayBack(socket)).start();
                } catch (IOException closed) {
                  return;
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void close() throws IOException {
    link.close();
    echo.close();
  }

  @Test
  void itCarriesBothWaysAndEndsWithEitherSide() throws IOException {
    try (Socket socket = connect()) {
      assertThat(say(socket, 42)).isEqualTo(42);
      assertThat(link.connections()).isOne();
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    await().until(() -> link.connections() == 0);
  }

  @Test
  void cutItResetsWhatIsOpenAndLetsNothingInUntilItIsRestored() throws IOException {
    try (Socket socket = connect()) {
      assertThat(say(socket, 1)).isEqualTo(1);
      link.cut();
      assertThatThrownBy(() -> say(socket, 2)).isInstanceOf(SocketException.class);
    }
    assertThatThrownBy(
            () -> {
              try (Socket next = connect()) {
                if (say(next, 3) == -1) {
                  throw new SocketException("closed");
                }
              }
            })
        .isInstanceOf(SocketException.class);

    link.restore();
    try (Socket again = connect()) {
      assertThat(say(again, 4)).isEqualTo(4);
    }
  }

  @Test
  void silentItTakesConnectionsAndCarriesNothingUntilItIsRestored() throws IOException {
    try (Socket before = connect()) {
      assertThat(say(before, 1)).isEqualTo(1);
      link.silence();
      try (Socket during = connect()) {
        before.setSoTimeout(200);
        during.setSoTimeout(200);
        assertThatThrownBy(() -> say(before, 2)).isInstanceOf(SocketTimeoutException.class);
        assertThatThrownBy(() -> say(during, 3)).isInstanceOf(SocketTimeoutException.class);

        link.restore();
        before.setSoTimeout(0);
        during.setSoTimeout(0);
        assertThat(before.getInputStream().read()).isEqualTo(2);
        assertThat(during.getInputStream().read()).isEqualTo(3);
      }
    }
  }

  @Test
  void slowItTakesItsTimeInBothDirections() throws IOException {
    link.slow(Duration.ofMillis(150));
    try (Socket socket = connect()) {
      long began = System.nanoTime();
      assertThat(say(socket, 1)).isEqualTo(1);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(290));
    }
  }

  @Test
  void behindItNobodyMayBeThere() throws IOException {
    try (Socket unheard = new Socket()) {
      unheard.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // and none listens
      try (Link toNobody = new Link("nobody", unheard.getLocalPort());
          Socket socket = new Socket(InetAddress.getLoopbackAddress(), toNobody.port())) {
        assertThatThrownBy(
                () -> {
                  if (say(socket, 1) == -1) {
                    throw new SocketException("closed");
                  }
                })
            .isInstanceOf(SocketException.class);
      }
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), link.port());
  }

  private static int say(Socket socket, int what) throws IOException {
    socket.getOutputStream().write(what);
    return socket.getInputStream().read();
  }

  private static void sayBack(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      // the other side is gone
    }
  }
}
