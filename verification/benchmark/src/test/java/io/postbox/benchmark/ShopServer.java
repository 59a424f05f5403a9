package io.postbox.benchmark;

import io.postbox.testkit.sample.Sample;
import io.postbox.testkit.sample.Sample.Totals;
import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A shop in a server of its own, on embedded H2 and messaging, with its customers. */
final class ShopServer implements AutoCloseable {
  private static final int CUSTOMERS = 8;
  private static final List<String> SKUS = List.of("BOOK-1", "PEN-1", "PEN-2");
  private static final Duration REST = Duration.ofSeconds(20);

  private final Server server;
  private final ProcessHandle process;
  private final double start;

  private ShopServer(
      Options options, String folder, Map<String, String> variables, Optional<Path> other)
      throws Exception {
    Map<String, String> all = new TreeMap<>(variables);
    all.put("postbox.database", "h2");
    all.put("postbox.messaging", "messaging");
    server =
        new Server(
            options.work().resolve("servers").resolve(folder),
            Optional.of(options.reports().resolve(folder + ".jfr"))
                .filter(it -> options.profiled()),
            all,
            other);
    process = server.process();
    start = processorSeconds();
  }

  /** The sample, of this build or of another. */
  static ShopServer sample(Options options, String folder, Optional<Path> other) throws Exception {
    return new ShopServer(options, folder, Map.of("postbox.application", "sample"), other);
  }

  /** The same business without outbox and inbox. */
  static ShopServer bare(Options options) throws Exception {
    return new ShopServer(
        options, "shop-bare", Map.of("postbox.application", "benchmark-shop"), Optional.empty());
  }

  /** Seconds of processor time that the server took until it was ready. */
  double startSeconds() {
    return start;
  }

  /**
   * Orders so often and waits until each order is shipped, marked and billed; milliseconds of the
   * server's processor time for each.
   */
  double order(int count) throws Exception {
    double before = processorSeconds();
    long expected = totals().orders() + count;
    AtomicInteger left = new AtomicInteger(count);
    ExecutorService customers = Executors.newFixedThreadPool(CUSTOMERS);
    try {
      Callable<Void> customer = () -> orderWhile(left);
      for (Future<Void> each : customers.invokeAll(Collections.nCopies(CUSTOMERS, customer))) {
        each.get();
      }
    } finally {
      customers.shutdownNow();
    }
    Waiting.until(
        expected + " orders that have gone all the way",
        () -> {
          TimeUnit.MILLISECONDS.sleep(200); // each answer takes processor time, too
          Totals totals = totals();
          return totals.orders() == expected && totals.atRest() && totals.invoices() == expected;
        });
    return (processorSeconds() - before) * 1000 / count;
  }

  /** Seconds of processor time that the server takes in 20 s in which nobody asks it anything. */
  double rest() throws InterruptedException {
    double before = processorSeconds();
    TimeUnit.MILLISECONDS.sleep(REST.toMillis());
    return processorSeconds() - before;
  }

  /** The megabytes of memory that are resident; empty where the machine does not say. */
  Optional<Double> residentMegabytes() throws IOException {
    Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
    if (!Files.exists(status)) {
      return Optional.empty();
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
        .findAny();
  }

  private Void orderWhile(AtomicInteger left) throws IOException {
    Sample sample = new Sample(server.base());
    for (int number = left.getAndDecrement(); number > 0; number = left.getAndDecrement()) {
      HttpResponse<String> answer = sample.order(SKUS.get(number % SKUS.size()), 1);
      if (answer.statusCode() != 201) {
        throw new IOException("An order was answered " + answer.statusCode() + answer.body());
      }
    }
    return null;
  }

  private Totals totals() throws IOException {
    String json = Http.get(server.base().resolve("/api/totals"));
    return new Totals(
        number(json, "orders"),
        number(json, "shipments"),
        number(json, "shippedOrders"),
        number(json, "invoices"),
        0,
        0,
        number(json, "pending"),
        0,
        0,
        0);
  }

  private static long number(String json, String name) {
    // A build from before there were invoices: nothing is billed, and nothing waits for it.
    return json.contains('"' + name + '"')
        ? Long.parseLong(Http.field(json, name))
        : number(json, "shipments");
  }

  private double processorSeconds() {
    return process
        .info()
        .totalCpuDuration()
        .map(it -> it.toNanos() / 1e9)
        .orElseThrow(() -> new IllegalStateException("The server's process is gone"));
  }

  @Override
  public void close() {
    server.close();
  }
}
