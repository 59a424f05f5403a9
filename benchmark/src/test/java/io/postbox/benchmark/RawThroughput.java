package io.postbox.benchmark;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * The floor of a drain: its parts in plain Java, without a server, by as many threads, each with
 * connections and statements of its own that it keeps.
 */
final class RawThroughput {
  private static final String QUEUE = "FLOOR";

  private final Options options;
  private final Postgres postgres;
  private final Broker broker;
  private final Table table;

  RawThroughput(Options options, Postgres postgres, Broker broker, Table table) {
    this.options = options;
    this.postgres = postgres;
    this.broker = broker;
    this.table = table;
  }

  /** Sends in JMS transactions of a batch, without a database; messages per second. */
  double sendOnly() throws Exception {
    int batches = options.messages() / options.batch() / options.workers();
    double seconds =
        timed(
            () -> {
              List<String> texts =
                  IntStream.range(0, options.batch()).mapToObj(i -> "x".repeat(512)).toList();
              try (Sender sender = new Sender(broker.url())) {
                for (int i = 0; i < batches; i++) {
                  sender.send(texts);
                }
              }
              return null;
            });
    broker.empty(QUEUE);
    return batches * options.batch() * options.workers() / seconds;
  }

  /** Claims, reads and deletes batches, without a broker; messages per second. */
  double deleteOnly() throws Exception {
    return drain(false);
  }

  /** Claims, reads, sends and deletes batches; messages per second. */
  double chained() throws Exception {
    double rate = drain(true);
    broker.empty(QUEUE);
    return rate;
  }

  private double drain(boolean sending) throws Exception {
    table.fill(postgres, options.messages());
    Queue<Integer> partitions =
        new ConcurrentLinkedQueue<>(IntStream.range(0, Table.PARTITIONS).boxed().toList());
    double seconds = timed(() -> drain(partitions, sending));
    table.clean(postgres);
    return options.messages() / seconds;
  }

  private double timed(Callable<?> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(options.workers());
    try {
      long start = System.nanoTime();
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < options.workers(); i++) {
        running.add(threads.submit(work));
      }
      for (Future<?> each : running) {
        each.get();
      }
      return (System.nanoTime() - start) / 1e9;
    } finally {
      threads.shutdown();
    }
  }

  private Void drain(Queue<Integer> partitions, boolean sending) throws Exception {
    try (java.sql.Connection connection = postgres.connect();
        Sender sender = new Sender(broker.url());
        PreparedStatement claim =
            connection.prepareStatement(
                "SELECT put_back FROM %s WHERE partition_no = ? FOR UPDATE SKIP LOCKED"
                    .formatted(table.partitions()));
        PreparedStatement read =
            connection.prepareStatement(
                """
                SELECT seq, id, payload_text FROM %s
                WHERE status = 'PENDING' AND partition_no = ? AND destination = 'drain' AND seq > ?
                ORDER BY seq LIMIT ?
                """
                    .formatted(table.messages()));
        PreparedStatement delete =
            connection.prepareStatement(
                "DELETE FROM %s WHERE partition_no = ? AND seq = ANY (?)"
                    .formatted(table.messages()))) {
      connection.setAutoCommit(false);
      for (Integer next = partitions.poll(); next != null; next = partitions.poll()) {
        long last = 0;
        do {
          claim.setInt(1, next);
          claim.executeQuery().close();
          List<Long> seqs = new ArrayList<>();
          List<String> texts = new ArrayList<>();
          read(read, next, last, seqs, texts);
          if (sending) {
            sender.send(texts);
          }
          delete.setInt(1, next);
          delete.setArray(2, connection.createArrayOf("BIGINT", seqs.toArray()));
          delete.executeUpdate();
          connection.commit();
          last = seqs.isEmpty() ? 0 : seqs.get(seqs.size() - 1);
        } while (last > 0);
      }
    }
    return null;
  }

  private void read(
      PreparedStatement read, int partition, long last, List<Long> seqs, List<String> texts)
      throws SQLException {
    read.setInt(1, partition);
    read.setLong(2, last);
    read.setInt(3, options.batch());
    try (ResultSet row = read.executeQuery()) {
      while (row.next()) {
        seqs.add(row.getLong(1));
        texts.add(row.getString(3));
      }
    }
  }

  /** A connection and a transacted session that are kept. */
  private static final class Sender implements AutoCloseable {
    private final ActiveMQConnectionFactory factory;
    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;

    Sender(String url) throws JMSException {
      factory = new ActiveMQConnectionFactory(url);
      connection = factory.createConnection();
      session = connection.createSession(Session.SESSION_TRANSACTED);
      producer = session.createProducer(session.createQueue(QUEUE));
      producer.setDeliveryMode(DeliveryMode.PERSISTENT);
    }

    void send(List<String> texts) throws JMSException {
      for (String text : texts) {
        producer.send(session.createTextMessage(text));
      }
      session.commit();
    }

    @Override
    public void close() throws JMSException {
      connection.close();
      factory.close();
    }
  }
}
