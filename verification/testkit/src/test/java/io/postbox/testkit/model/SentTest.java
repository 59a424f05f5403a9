package io.postbox.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.testkit.injected.SendLog;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's notes of its sends, and how they are read. */
class SentTest {
  private static final UUID ONE = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  @TempDir private Path folder;
  private Path log;

  /** As the relay's, by the names of their parts. */
  public record Message(Envelope envelope) {}

  public record Envelope(UUID id, String destination, @Nullable String orderingKey) {}

  @BeforeEach
  void noteHere() {
    log = folder.resolve("sent.log");
    System.setProperty(SendLog.FILE, log.toString());
  }

  @AfterEach
  void noteNowhere() {
    System.clearProperty(SendLog.FILE);
  }

  private static Message message(UUID id, @Nullable String key) {
    return new Message(new Envelope(id, "shipping", key));
  }

  @Test
  void notedSendsAreRead() throws Exception {
    SendLog sends = new SendLog();
    sends.begins();
    sends.given(message(ONE, "BOOK-1"));
    sends.given(message(OTHER, null));
    sends.tries();
    sends.committed();

    assertThat(Sent.read(List.of(log)))
        .extracting(Sent::messageId, Sent::destination, Sent::key, Sent::committed)
        .containsExactly(
            tuple(ONE.toString(), "shipping", "BOOK-1", false),
            tuple(OTHER.toString(), "shipping", "null", false),
            tuple(ONE.toString(), "shipping", "BOOK-1", true),
            tuple(OTHER.toString(), "shipping", "null", true));
  }

  @Test
  void aBatchThatBeginsHasNothingOfTheOneBefore() throws Exception {
    SendLog sends = new SendLog();
    sends.begins();
    sends.given(message(ONE, null));
    sends.begins();
    sends.given(message(OTHER, null));
    sends.committed();

    assertThat(Sent.read(List.of(log))).extracting(Sent::messageId).containsExactly("" + OTHER);
  }

  @Test
  void aLineThatWasCutIsNoneAndTheNextOneCounts() throws Exception {
    Files.writeString(log, "7\tcut\tshipping\tBOOK-1\tcommitt");
    SendLog sends = new SendLog();
    sends.begins();
    sends.given(message(ONE, "BOOK-1"));
    sends.committed();
    Files.writeString(log, Files.readString(log) + "9\tcut\tshipp");

    assertThat(Sent.read(List.of(log))).extracting(Sent::messageId).containsExactly("" + ONE);
  }

  @Test
  void theNotesOfSeveralServersAreReadInTheOrderOfTheirTimes() throws Exception {
    Path another = folder.resolve("another.log");
    Files.writeString(log, line(3, "third") + line(3, "fourth") + line(10, "fifth"));
    Files.writeString(another, line(1, "first") + line(2, "second"));

    assertThat(Sent.read(List.of(log, another)))
        .extracting(Sent::messageId)
        .containsExactly("first", "second", "third", "fourth", "fifth");
  }

  @Test
  void aServerThatNotedNothingHasNoFile() {
    assertThat(Sent.read(List.of(log))).isEmpty();
  }

  @Test
  void aFileThatCannotBeReadIsAFailure() throws Exception {
    Files.createDirectory(log);

    assertThatThrownBy(() -> Sent.read(List.of(log)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(log.toString());
  }

  private static String line(long at, String id) {
    return "%s\t%s\tshipping\tBOOK-1\t%s%n".formatted(at, id, SendLog.COMMITTED);
  }
}
