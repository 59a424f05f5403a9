package io.postbox.benchmark;

import jakarta.jms.JMSException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A lasting {@link Sender} of single messages for each thread that sends. */
final class Senders implements AutoCloseable {
  private final Broker broker;
  private final Queue<Sender> opened = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Sender> own = ThreadLocal.withInitial(this::open);

  Senders(Broker broker) {
    this.broker = broker;
  }

  void send(Row row) {
    try {
      own.get().send(row);
    } catch (JMSException failed) {
      throw new IllegalStateException("The broker refuses a message", failed);
    }
  }

  private Sender open() {
    try {
      Sender sender = Sender.immediate(broker, Broker.PEER);
      opened.add(sender);
      return sender;
    } catch (JMSException failed) {
      throw new IllegalStateException("The broker cannot be reached", failed);
    }
  }

  @Override
  public void close() throws JMSException {
    for (Sender sender : opened) {
      sender.close();
    }
  }
}
