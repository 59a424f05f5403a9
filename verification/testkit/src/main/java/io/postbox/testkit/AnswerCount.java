package io.postbox.testkit;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * How many questions a broker has answered to anybody, in a file by which another process reads it.
 * A client waits for each answer, so these are its round trips; packets that it sends without
 * waiting, as messages of a transaction, have none. Thread-safe.
 */
final class AnswerCount implements Interceptor {
  private final LongBuffer count;

  private AnswerCount(LongBuffer count) {
    this.count = count;
  }

  /**
   * The count in a file, which is created if there is none.
   *
   * @throws IOException if the file cannot be mapped
   */
  static AnswerCount in(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new AnswerCount(channel.map(MapMode.READ_WRITE, 0, Long.BYTES).asLongBuffer());
    }
  }

  @Override
  public synchronized boolean intercept(Packet packet, RemotingConnection to) {
    if (packet.isResponse()) {
      count.put(0, count.get(0) + 1);
    }
    return true;
  }

  /** The count at this moment. */
  long get() {
    return count.get(0);
  }
}
