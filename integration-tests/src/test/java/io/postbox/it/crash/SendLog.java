package io.postbox.it.crash;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Writes down in the server, past the product, what the broker has taken: a rule's helper, called
 * after the broker's commit. Nothing of it waits in memory, so it survives whatever kills the
 * server; a kill between that commit and the note loses the note, and the message is sent again.
 */
public class SendLog {
  /** The system property that says where. */
  static final String FILE = "postbox.it.sent";

  /** After the last field: a line without it was cut by a kill. */
  static final String END = ".";

  /** Called by a rule with a batch of the relay's, in the order in which it was sent. */
  public void committed(List<?> batch) throws ReflectiveOperationException, IOException {
    // of this machine, so that the notes of several servers can be put in order
    long now = System.nanoTime();
    StringBuilder lines = new StringBuilder("\n"); // the last line may have been cut
    for (Object message : batch) {
      Object envelope = get(message, "envelope");
      lines
          .append(now)
          .append('\t')
          .append(get(envelope, "id"))
          .append('\t')
          .append(get(envelope, "destination"))
          .append('\t')
          .append(get(envelope, "orderingKey"))
          .append('\t')
          .append(END)
          .append('\n');
    }
    try (FileOutputStream file =
        new FileOutputStream(Objects.requireNonNull(System.getProperty(FILE)), true)) {
      file.write(lines.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static Object get(Object record, String component) throws ReflectiveOperationException {
    return record.getClass().getMethod(component).invoke(record);
  }
}
