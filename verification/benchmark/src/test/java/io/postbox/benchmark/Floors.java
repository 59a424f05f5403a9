package io.postbox.benchmark;

import io.postbox.benchmark.Crew.Hand;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * The parts of a drain in plain Java, without a server: each thread has connections and statements
 * of its own that it keeps, sends what the relay sends, and reads the columns that it reads. All
 * answer messages per second.
 */
final class Floors {
  private final Broker broker;
  private final Table table;
  private final int messages;

  /**
   * @param messages in each drain
   */
  Floors(Broker broker, Table table, int messages) {
    this.broker = broker;
    this.table = table;
    this.messages = messages;
  }

  /** Sends in JMS transactions of a batch, without a database. One session a thread. */
  double sendAlone(Load load) throws Exception {
    double seconds = new Crew().with(load.threads(), () -> sending(load)).seconds();
    broker.empty(Broker.FLOOR);
    return sent(load) / seconds;
  }

  /** Claims, reads and deletes batches, without a broker. One connection a thread. */
  double deleteAlone(Load load) throws Exception {
    table.fill(Keys.TEN_EACH, messages);
    Queue<Integer> partitions = partitions();
    double seconds = new Crew().with(load.threads(), () -> deleting(load, partitions)).seconds();
    table.clean();
    return messages / seconds;
  }

  /**
   * Both at the same time, by different threads that hand nothing over: the rate of a pipeline
   * whose two sides never wait for each other. So many threads, sessions and connections each.
   */
  double sideBySide(Load load) throws Exception {
    table.fill(Keys.TEN_EACH, messages);
    Queue<Integer> partitions = partitions();
    double seconds =
        new Crew()
            .with(load.threads(), () -> sending(load))
            .with(load.threads(), () -> deleting(load, partitions))
            .seconds();
    table.clean();
    broker.empty(Broker.FLOOR);
    return Math.min(messages, sent(load)) / seconds;
  }

  /**
   * Claims, reads, sends, commits to the broker, deletes, commits: the minimum that loses nothing.
   * One session and one connection a thread.
   */
  double chained(Load load) throws Exception {
    table.fill(Keys.TEN_EACH, messages);
    Queue<Integer> partitions = partitions();
    double seconds = new Crew().with(load.threads(), () -> chaining(load, partitions)).seconds();
    if (broker.count(Broker.FLOOR) != messages) {
      throw new IllegalStateException(broker.count(Broker.FLOOR) + " messages of " + messages);
    }
    table.clean();
    broker.empty(Broker.FLOOR);
    return messages / seconds;
  }

  /** Sends some, so that there is one to look at. */
  void sendOne() throws Exception {
    try (Sender sender = Sender.transacted(broker, Broker.FLOOR)) {
      sender.sendAll(List.of(Row.numbered(0)));
    }
  }

  /** Every thread sends the same number of batches. */
  private int batches(Load load) {
    return Math.max(1, messages / load.batch() / load.threads());
  }

  private int sent(Load load) {
    return batches(load) * load.batch() * load.threads();
  }

  private static Queue<Integer> partitions() {
    return new ConcurrentLinkedQueue<>(IntStream.range(0, Table.PARTITIONS).boxed().toList());
  }

  private Hand sending(Load load) throws Exception {
    Sender sender = Sender.transacted(broker, Broker.FLOOR);
    return new Hand() {
      @Override
      public void work() throws Exception {
        for (int i = 0; i < batches(load); i++) {
          int first = i * load.batch();
          sender.sendAll(
              IntStream.range(first, first + load.batch()).mapToObj(Row::numbered).toList());
        }
      }

      @Override
      public void close() throws Exception {
        sender.close();
      }
    };
  }

  private Hand deleting(Load load, Queue<Integer> partitions) throws Exception {
    Claims claims = new Claims(table);
    return new Hand() {
      @Override
      public void work() throws Exception {
        drain(claims, load, partitions, rows -> {});
      }

      @Override
      public void close() throws Exception {
        claims.close();
      }
    };
  }

  private Hand chaining(Load load, Queue<Integer> partitions) throws Exception {
    Claims claims = new Claims(table);
    Sender sender = Sender.transacted(broker, Broker.FLOOR);
    return new Hand() {
      @Override
      public void work() throws Exception {
        drain(claims, load, partitions, sender::sendAll);
      }

      @Override
      public void close() throws Exception {
        try (claims) {
          sender.close();
        }
      }
    };
  }

  private interface Sending {
    void send(List<Row> rows) throws Exception;
  }

  /** Takes partitions until none is left; of each, batches until one is not full. */
  private static void drain(Claims claims, Load load, Queue<Integer> partitions, Sending sending)
      throws Exception {
    for (Integer next = partitions.poll(); next != null; next = partitions.poll()) {
      long last = 0;
      List<Row> rows;
      do {
        claims.claim(next);
        rows = claims.read(next, last, load.batch());
        if (!rows.isEmpty()) {
          sending.send(rows);
          claims.delete(next, rows);
          last = rows.get(rows.size() - 1).seq();
        }
        claims.commit();
      } while (rows.size() == load.batch());
    }
  }
}
