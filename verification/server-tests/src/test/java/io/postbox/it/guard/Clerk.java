package io.postbox.it.guard;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.InboxHandler;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Names;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles what was captured: writes, replies, waits at the texts and fails with those it should.
 */
@ApplicationScoped
public class Clerk {
  private final Map<String, CountDownLatch> stops = new ConcurrentHashMap<>();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final List<CapturedMessage> received = new CopyOnWriteArrayList<>();

  @Inject InboxContext inbox;

  void makeTable(@Observes Startup event) {
    database()
        .run(
            "CREATE TABLE IF NOT EXISTS guard_effect (seq BIGINT GENERATED ALWAYS AS IDENTITY,"
                + " text VARCHAR(200) NOT NULL)");
  }

  /** Of the consumer with the settings of all. */
  @InboxHandler("clerk")
  public void handle(CapturedMessage message) {
    work(message);
  }

  /** Of the consumer with one worker. */
  @InboxHandler("alone")
  public void handleAlone(CapturedMessage message) {
    work(message);
  }

  /** Of the consumer of which only three messages may wait. */
  @InboxHandler("narrow")
  public void handleFew(CapturedMessage message) {
    work(message);
  }

  /** Of the consumer that quarantines only one message. */
  @InboxHandler("strict")
  public void handleStrictly(CapturedMessage message) {
    work(message);
  }

  private void work(CapturedMessage message) {
    received.add(message);
    String text = message.text().orElse("");
    CountDownLatch stop = stops.get(text);
    try {
      if (stop != null && !stop.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody lets the handler go on");
      }
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
    write(text);
    inbox.result("handled " + text);
    if (failures.merge(text, -1, Integer::sum) >= 0) {
      throw new IllegalStateException("the handler fails");
    }
  }

  /** Has the handler of a text wait until the latch is open. */
  public CountDownLatch stopAt(String text) {
    return stops.computeIfAbsent(text, missing -> new CountDownLatch(1));
  }

  /** Has the handler of a text fail so often. */
  public void fail(String text, int times) {
    failures.put(text, times);
  }

  /** The calls for a text, also those that failed. */
  public List<CapturedMessage> received(String text) {
    return received.stream().filter(it -> it.text().orElse("").equals(text)).toList();
  }

  /** Writes a text in the thread's transaction. */
  public void write(String text) {
    database().run("INSERT INTO guard_effect (text) VALUES (?)", text);
  }

  /** The committed texts that begin like this, in their order. */
  public List<String> written(String beginning) {
    return database()
        .column("SELECT text FROM guard_effect WHERE text LIKE ? ORDER BY seq", beginning + "%");
  }

  private static Database database() {
    return Database.at(Names.variable("postbox.inbox.data-source"));
  }
}
