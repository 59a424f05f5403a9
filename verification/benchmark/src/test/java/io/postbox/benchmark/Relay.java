package io.postbox.benchmark;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** The relay of one server, or of several nodes, with a database of its own. */
final class Relay implements AutoCloseable {
  /** So often until the server's code is compiled. */
  static final int WARM_UPS = 3;

  /** So many that no lane is without one. */
  private static final int WAKING = 500;

  private final Broker broker;
  private final List<Server> nodes;
  private final Table table;

  Relay(Database database, Broker broker, List<Server> nodes) {
    this.broker = broker;
    this.nodes = List.copyOf(nodes);
    table = Table.outbox(database);
  }

  Table table() {
    return table;
  }

  /** Drains without being measured. */
  void warmUp(int count) throws Exception {
    for (int i = 0; i < WARM_UPS; i++) {
      drain(Keys.TEN_EACH, count);
    }
  }

  /** Drains a backlog that was there before the relay is woken; messages per second. */
  double drain(Keys keys, int count) throws Exception {
    long all = table.fill(keys, count) + (long) WAKING * nodes.size();
    long start = System.nanoTime();
    wake(WAKING);
    double rate = rateOf(all, start);
    if (keys == Keys.FAILING_TENTH) {
      table.forgetFailed();
    }
    table.clean();
    return rate;
  }

  /** Drains three messages to each of many destinations, committed at once; messages per second. */
  double drainDestinations(int destinations) throws Exception {
    int all = 3 * destinations;
    long sinceCommit =
        Long.parseLong(
            nodes.get(0).post("/wake?count=%s&destinations=%s".formatted(all, destinations)));
    double rate = rateOf(all, System.nanoTime() - sinceCommit);
    table.clean();
    return rate;
  }

  /**
   * Drains one large backlog; messages per second of each tenth of it, as a consumer receives them
   * meanwhile, or the broker would page.
   */
  List<Double> tenths(int count) throws Exception {
    table.fill(Keys.TEN_EACH, count);
    long last = System.nanoTime();
    wake(WAKING);
    List<Long> numbers =
        LongStream.rangeClosed(1, 10).map(tenth -> count * tenth / 10).boxed().toList();
    List<Double> rates = new ArrayList<>();
    for (long time : broker.arrivals(Broker.DRAIN, numbers)) {
      rates.add(count / 10 / ((time - last) / 1e9));
      last = time;
    }
    Waiting.until("an empty table", table::isDrained);
    broker.empty(Broker.DRAIN);
    table.clean();
    return rates;
  }

  /** Has each node enqueue so many, and so hear of them at once. */
  private void wake(int count) throws Exception {
    for (Server node : nodes) {
      node.post("/wake?count=" + count);
    }
  }

  /** Makes the tables of business transactions, with an account for each thread. */
  void openAccounts(int threads) throws SQLException {
    table
        .database()
        .execute(
            """
            CREATE TABLE account (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL);
            INSERT INTO account SELECT n, 0 FROM generate_series(1, %s) n;
            CREATE TABLE booking (id VARCHAR(36) PRIMARY KEY, account BIGINT, balance BIGINT)
            """
                .formatted(threads));
  }

  /**
   * Runs business transactions until the broker has a message of each; transactions per second.
   *
   * @param way of BookingsServlet
   * @param messages of each, one or, with the way without, none
   */
  double book(String way, int count, int threads, int messages) throws Exception {
    long start = System.nanoTime();
    nodes.get(0).post("/bookings?way=%s&count=%s&threads=%s".formatted(way, count, threads));
    double seconds = (System.nanoTime() - start) / 1e9;
    double rate = messages == 0 ? count / seconds : rateOf((long) count * messages, start);
    table.clean();
    table.database().execute("VACUUM ANALYZE account");
    return rate;
  }

  private double rateOf(long all, long start) throws Exception {
    return Drained.rate(broker, Broker.DRAIN, all, start, table::isDrained);
  }

  /** How many claims it has at most at the same time: transactions that wait for the broker. */
  int claimsAtOnce(int count) throws Exception {
    AtomicInteger most = new AtomicInteger(1);
    table.fill(Keys.TEN_EACH, count);
    wake(WAKING);
    Waiting.until(
        "an empty table",
        () -> {
          most.accumulateAndGet((int) claims(), Math::max);
          return table.isDrained();
        });
    broker.empty(Broker.DRAIN);
    table.clean();
    return most.get();
  }

  /** The names of the properties of a message that it has sent. */
  SortedSet<String> properties() throws Exception {
    table.fill(Keys.TEN_EACH, 1);
    wake(0);
    Waiting.until("a message", () -> broker.count(Broker.DRAIN) == 1);
    SortedSet<String> properties = broker.properties(Broker.DRAIN);
    Waiting.until("an empty table", table::isDrained);
    broker.empty(Broker.DRAIN);
    return properties;
  }

  private long claims() throws SQLException {
    return table
        .database()
        .number(
            """
            SELECT COUNT(*) FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'idle in transaction'
            """);
  }

  void keep(int sent) throws SQLException {
    table.fillSent(sent);
    table.clean();
  }

  @Override
  public void close() {
    nodes.forEach(Server::close);
  }
}
