package io.postbox.it.backlog;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxHandler;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A handler that a test can stop. */
@ApplicationScoped
public class BacklogHandler {
  private final List<String> handled = new CopyOnWriteArrayList<>();
  private final List<String> running = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /** Has the handler wait, until it may go on. */
  public void close() {
    gate = new CountDownLatch(1);
  }

  /** Lets the handler go on. */
  public void open() {
    gate.countDown();
  }

  /** The texts that it has handled. */
  public List<String> handled() {
    return List.copyOf(handled);
  }

  /** The texts with which it has been called. */
  public List<String> running() {
    return List.copyOf(running);
  }

  @InboxHandler("backlog")
  public void handle(CapturedMessage message) throws InterruptedException {
    running.add(message.text().orElse(""));
    if (!gate.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("nobody lets the handler go on");
    }
    String text = message.text().orElse("");
    if (text.startsWith("wrong")) {
      throw new IllegalStateException("the handler fails");
    }
    handled.add(text);
  }
}
