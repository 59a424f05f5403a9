package io.postbox.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a broker.
 *
 * @param port where it listens, on the loopback address only
 * @param queues the queues that it has; others are not made when somebody names them
 * @param topics the topics that it has; subscriptions to them are made by whoever subscribes
 * @param limits queues that do not take any number of messages
 * @param secured whether it asks who somebody is; it knows {@link #USER} alone
 * @param readOnly queues of a secured broker to which nobody may send
 * @param tls with which it speaks, if it speaks to nobody without
 */
public record BrokerSettings(
    int port,
    List<String> queues,
    List<String> topics,
    List<QueueLimit> limits,
    boolean secured,
    List<String> readOnly,
    Optional<Tls> tls) {

  /** The user of a secured broker; the password is the same. */
  public static final String USER = "postbox";

  private static final String NONE = "-";

  /** Copies the lists. */
  public BrokerSettings {
    queues = List.copyOf(queues);
    topics = List.copyOf(topics);
    limits = List.copyOf(limits);
    readOnly = List.copyOf(readOnly);
  }

  /** The fate of a message for a queue that is full. */
  public enum WhenFull {
    /** It goes to disk. */
    PAGE,
    /** Its sender is refused. */
    FAIL,
    /** Its sender waits. */
    BLOCK,
    /** It is lost, and its sender is not told. */
    DROP
  }

  /**
   * How much a queue takes.
   *
   * @param queue its name
   * @param bytes how many bytes of messages are enough
   * @param whenFull the fate of the others
   */
  public record QueueLimit(String queue, long bytes, WhenFull whenFull) {}

  /**
   * PKCS12 stores with one password.
   *
   * @param keyStore the broker's key and certificate
   * @param trustStore the certificates with which clients verify that
   * @param password of both
   */
  public record Tls(Path keyStore, Path trustStore, String password) {
    private static final int PARTS = 3;

    private String toArgument() {
      return String.join("|", keyStore.toString(), trustStore.toString(), password);
    }

    private static Tls fromArgument(String argument) {
      String[] parts = argument.split("\\|", PARTS);
      return new Tls(Path.of(parts[0]), Path.of(parts[1]), parts[2]);
    }
  }

  /** A broker on a free port, with these queues, open to everybody. */
  public static BrokerSettings of(Collection<String> queues) {
    return new BrokerSettings(
        Ports.next(),
        List.copyOf(queues),
        List.of(),
        List.of(),
        false,
        List.of(),
        Optional.empty());
  }

  /** The same with topics. */
  public BrokerSettings withTopics(String... names) {
    return new BrokerSettings(port, queues, List.of(names), limits, secured, readOnly, tls);
  }

  /** The same with a queue that can be full. */
  public BrokerSettings withLimit(String queue, long bytes, WhenFull whenFull) {
    List<QueueLimit> more = new ArrayList<>(limits);
    more.add(new QueueLimit(queue, bytes, whenFull));
    return new BrokerSettings(port, queues, topics, more, secured, readOnly, tls);
  }

  /** The same, asking who somebody is, and with some queues that take no messages. */
  public BrokerSettings withSecurity(String... readOnlyQueues) {
    return new BrokerSettings(port, queues, topics, limits, true, List.of(readOnlyQueues), tls);
  }

  /** The same, which speaks to nobody without TLS. */
  public BrokerSettings withTls(Tls stores) {
    return new BrokerSettings(port, queues, topics, limits, secured, readOnly, Optional.of(stores));
  }

  /** Where it listens, for Artemis' own client. */
  public String url() {
    return address()
        + tls.map(
                it ->
                    "?sslEnabled=true&verifyHost=true&trustStoreType=PKCS12&trustStorePath=%s&trustStorePassword=%s"
                        .formatted(it.trustStore(), it.password()))
            .orElse("");
  }

  /** The same, for the broker itself. */
  String acceptorUrl() {
    return address()
        + tls.map(
                it ->
                    "?sslEnabled=true&keyStoreType=PKCS12&keyStorePath=%s&keyStorePassword=%s"
                        .formatted(it.keyStore(), it.password()))
            .orElse("");
  }

  private String address() {
    return "tcp://127.0.0.1:" + port;
  }

  /** As the arguments of a process. */
  List<String> toArguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add(String.valueOf(port));
    arguments.add(String.valueOf(secured));
    arguments.add(joined(readOnly));
    arguments.add(String.join(",", queues));
    arguments.add(joined(topics));
    arguments.add(tls.map(Tls::toArgument).orElse(NONE));
    limits.forEach(it -> arguments.add(it.queue() + ":" + it.bytes() + ":" + it.whenFull()));
    return arguments;
  }

  static BrokerSettings fromArguments(List<String> arguments) {
    List<QueueLimit> limits =
        arguments.stream()
            .skip(6)
            .map(it -> it.split(":", -1))
            .map(it -> new QueueLimit(it[0], Long.parseLong(it[1]), WhenFull.valueOf(it[2])))
            .toList();
    return new BrokerSettings(
        Integer.parseInt(arguments.get(0)),
        List.of(arguments.get(3).split(",", -1)),
        split(arguments.get(4)),
        limits,
        Boolean.parseBoolean(arguments.get(1)),
        split(arguments.get(2)),
        arguments.get(5).equals(NONE)
            ? Optional.empty()
            : Optional.of(Tls.fromArgument(arguments.get(5))));
  }

  private static String joined(List<String> names) {
    return names.isEmpty() ? NONE : String.join(",", names);
  }

  private static List<String> split(String names) {
    return names.equals(NONE) ? List.of() : List.of(names.split(",", -1));
  }
}
