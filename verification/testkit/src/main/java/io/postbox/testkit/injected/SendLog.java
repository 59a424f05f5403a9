package io.postbox.testkit.injected;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Writes down in the server what the broker has taken, in the order in which it was given to it: a
 * rule's helper. Nothing of it waits in memory once the broker has committed, so it survives
 * whatever kills the server. A kill between that commit and the note loses the note; the message is
 * sent again then, unless the relay's delivery is {@code xa}, for which there is a note before.
 */
public class SendLog {
  /** The system property that says where. */
  public static final String FILE = "postbox.it.sent";

  /** The last field of what was committed: a line without it was cut by a kill. */
  public static final String COMMITTED = "committed.";

  /** The last field of what was about to be committed. */
  static final String TRIED = "tried.";

  private static final ThreadLocal<List<Object>> GIVEN = ThreadLocal.withInitial(ArrayList::new);

  /** A batch begins. */
  public void begins() {
    GIVEN.get().clear();
  }

  /** The producer was given a message. */
  public void given(Object message) {
    GIVEN.get().add(message);
  }

  /** The broker is about to commit. */
  public void tries() throws ReflectiveOperationException, IOException {
    note(TRIED);
  }

  /** The broker has committed. */
  public void committed() throws ReflectiveOperationException, IOException {
    note(COMMITTED);
  }

  private static void note(String what) throws ReflectiveOperationException, IOException {
    // of this machine, so that the notes of several servers can be put in order
    long now = System.nanoTime();
    StringBuilder lines = new StringBuilder("\n"); // the last line may have been cut
    for (Object message : GIVEN.get()) {
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
          .append(what)
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
