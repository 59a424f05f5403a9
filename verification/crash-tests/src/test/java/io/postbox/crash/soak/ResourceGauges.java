package io.postbox.crash.soak;

import io.postbox.crash.report.Gauge;
import io.postbox.crash.report.Gauge.Kind;
import io.postbox.crash.topology.Node;
import io.postbox.testkit.database.Database;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.MBeans;
import io.postbox.testkit.server.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** Reads everything about a running server that must not grow. Not for several threads. */
final class ResourceGauges {
  private static final double MEGABYTE = 1_024 * 1_024;
  private static final double KILOBYTE = 1_024;
  private static final String APPLICATION = "io.postbox.sample.orders.OrdersMdb";

  /** The part of its name in which threads of one kind differ. */
  private static final Pattern NUMBER = Pattern.compile("[0-9a-f-]{8,}|\\d+");

  /** Those that answer us. */
  private static final Pattern OUR_QUESTIONS =
      Pattern.compile("(RMI |JMX server connection timeout).*");

  private static final Pattern POOL =
      Pattern.compile("connectionpool_managedConnections\\{.*?datasource=\"(.+?)\".*\\} (\\S+)");

  private final Node node;
  private final Database database;
  private long logged;

  ResourceGauges(Node node, Database database) {
    this.node = node;
    this.database = database;
  }

  /** All of it; everything should be at rest. */
  Map<Gauge, Double> read() {
    Map<Gauge, Double> readings = new TreeMap<>(TableSizes.read(database));
    MBeans mbeans = node.server().mbeans();
    readings.putAll(
        mbeans.ask(
            server -> {
              collectGarbage(server);
              Map<Gauge, Double> machine = new TreeMap<>();
              memory(server, machine);
              threads(server, machine);
              return machine;
            }));
    metrics(readings);
    node.broker()
        .consumers()
        .forEach((queue, count) -> readings.put(gauge(Kind.CONSUMERS, queue), (double) count));
    long now = bytesOfLogs();
    readings.put(gauge(Kind.LOG, ""), Math.max(0, now - logged) / KILOBYTE);
    logged = now;
    return readings;
  }

  /** How many copies of the application's classes are loaded. */
  Map<Gauge, Double> copies() {
    double copies = new Machine(node.server().mbeans()).copiesOf(APPLICATION);
    return Map.of(gauge(Kind.COPIES, ""), copies);
  }

  /** The contents of the heap, to be compared with another moment's. */
  void histogram(Path file) {
    String classes =
        node.server()
            .mbeans()
            .ask(
                server ->
                    (String)
                        server.invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()}));
    try {
      Files.writeString(file, classes);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written", e);
    }
  }

  /** Twice: objects that only wait to be cleaned up are gone after the second time. */
  private static void collectGarbage(MBeanServerConnection server) throws IOException, JMException {
    for (int time = 1; time <= 2; time++) {
      server.invoke(new ObjectName("java.lang:type=Memory"), "gc", new Object[0], new String[0]);
    }
  }

  private static void memory(MBeanServerConnection server, Map<Gauge, Double> readings)
      throws IOException, JMException {
    CompositeData heap =
        (CompositeData)
            server.getAttribute(new ObjectName("java.lang:type=Memory"), "HeapMemoryUsage");
    readings.put(gauge(Kind.HEAP, ""), (Long) heap.get("used") / MEGABYTE);
    CompositeData metaspace =
        (CompositeData)
            server.getAttribute(
                new ObjectName("java.lang:type=MemoryPool,name=Metaspace"), "Usage");
    readings.put(gauge(Kind.METASPACE, ""), (Long) metaspace.get("used") / MEGABYTE);
    double buffers =
        number(server, "java.nio:type=BufferPool,name=direct", "MemoryUsed") / MEGABYTE;
    readings.put(gauge(Kind.BUFFERS, ""), buffers);
    readings.put(
        gauge(Kind.CLASSES, ""), number(server, "java.lang:type=ClassLoading", "LoadedClassCount"));
    readings.put(
        gauge(Kind.FILES, ""),
        number(server, "java.lang:type=OperatingSystem", "OpenFileDescriptorCount"));
  }

  private static double number(MBeanServerConnection server, String bean, String attribute)
      throws IOException, JMException {
    return ((Number) server.getAttribute(new ObjectName(bean), attribute)).doubleValue();
  }

  /** All together, and those of each name. */
  private static void threads(MBeanServerConnection server, Map<Gauge, Double> readings)
      throws IOException, JMException {
    CompositeData[] all =
        (CompositeData[])
            server.invoke(
                new ObjectName("java.lang:type=Threading"),
                "dumpAllThreads",
                new Object[] {false, false},
                new String[] {"boolean", "boolean"});
    List<String> names =
        Arrays.stream(all)
            .map(thread -> (String) thread.get("threadName"))
            .filter(name -> !OUR_QUESTIONS.matcher(name).matches())
            .map(name -> NUMBER.matcher(name).replaceAll("#"))
            .toList();
    readings.put(gauge(Kind.THREADS, ""), (double) names.size());
    names.forEach(name -> readings.merge(gauge(Kind.THREADS, name), 1.0, Double::sum));
  }

  private void metrics(Map<Gauge, Double> readings) {
    List<String> series;
    try {
      series =
          Http.get(node.server().base().resolve("/metrics"))
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("The server has no metrics", e);
    }
    readings.put(gauge(Kind.METRICS, "all"), (double) series.size());
    readings.put(
        gauge(Kind.METRICS, "Postbox"),
        (double) series.stream().filter(line -> line.contains("postbox")).count());
    for (String line : series) {
      Matcher pool = POOL.matcher(line);
      if (pool.matches()) {
        Gauge connections = gauge(Kind.CONNECTIONS, "pool " + pool.group(1));
        readings.put(connections, Double.parseDouble(pool.group(2)));
      }
    }
  }

  private long bytesOfLogs() {
    try (Stream<Path> files = Files.walk(node.server().logs())) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(node.server().logs() + " cannot be read", e);
    }
  }

  private static Gauge gauge(Kind kind, String of) {
    return new Gauge(kind, of);
  }
}
