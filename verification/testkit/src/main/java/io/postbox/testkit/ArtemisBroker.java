package io.postbox.testkit;

import io.postbox.testkit.disk.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An Artemis broker in a process of its own, on a journal that survives it: committed messages are
 * there again after any end. Not for use by several threads at once, except {@link #counts()} and
 * {@link #consumers()}.
 */
public final class ArtemisBroker implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofMinutes(1);
  private static final Duration LONGEST_END = Duration.ofSeconds(30);

  private final Path data;
  private final BrokerSettings settings;
  private final BrokerClient client;
  private final UnaryOperator<List<String>> launcher;
  private @Nullable Process process;

  /**
   * @param data where its journal lies; kept over its ends, and never deleted here
   * @param settings its settings
   */
  public ArtemisBroker(Path data, BrokerSettings settings) {
    this(data, settings, UnaryOperator.identity());
  }

  /**
   * A broker that does not see the world as its parent does.
   *
   * @param data where its journal lies; kept over its ends, and never deleted here
   * @param settings its settings
   * @param launcher makes, of the command that starts it, one that is replaced by it
   */
  public ArtemisBroker(Path data, BrokerSettings settings, UnaryOperator<List<String>> launcher) {
    this.data = data.toAbsolutePath();
    this.settings = settings;
    this.launcher = launcher;
    client = new BrokerClient(settings);
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "no-broker-stays-behind"));
  }

  /**
   * A broker without any messages of an earlier one.
   *
   * @param data where its journal lies; emptied first
   * @param settings its settings
   */
  public static ArtemisBroker anew(Path data, BrokerSettings settings) {
    try {
      Folders.deleteAll(data);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The files of an earlier broker in " + data + " cannot be deleted", e);
    }
    return new ArtemisBroker(data, settings);
  }

  /** Its settings. */
  public BrokerSettings settings() {
    return settings;
  }

  /** The console of all its starts. */
  public Path log() {
    return data.resolve("console.log");
  }

  /** Starts the process and returns at once. */
  public synchronized void start() {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException("The broker on " + data + " runs already");
    }
    try {
      Files.createDirectories(data);
      process =
          new ProcessBuilder(launcher.apply(command()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("The broker on " + data + " does not start", e);
    }
  }

  /** Whether it answers at this moment. */
  public boolean answers() {
    return client.answers();
  }

  /** Waits until it answers. */
  public void awaitUp() {
    long deadline = System.nanoTime() + LONGEST_START.toNanos();
    while (!client.answers()) {
      if (!running().isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException("The broker does not come up; its console is " + log());
      }
      pause();
    }
  }

  /** SIGKILL, and waits until the process is gone. Nothing happens if it does not run. */
  public synchronized void kill() {
    if (process != null) {
      process
          .destroyForcibly()
          .onExit()
          .orTimeout(LONGEST_END.toSeconds(), TimeUnit.SECONDS)
          .join();
    }
  }

  /**
   * SIGSTOP: it still accepts connections, as the operating system does that, and never answers.
   */
  public void freeze() {
    signal("STOP");
  }

  /** SIGCONT: it goes on where it was stopped. */
  public void thaw() {
    signal("CONT");
  }

  /**
   * How many messages each of its queues holds, in whatever state.
   *
   * @throws IllegalStateException if it does not answer
   */
  public Map<String, Long> counts() {
    return client.counts();
  }

  /**
   * How many consumers each of its queues has.
   *
   * @throws IllegalStateException if it does not answer
   */
  public Map<String, Long> consumers() {
    return client.consumers();
  }

  /**
   * Takes all messages out of a queue.
   *
   * @return a property of each, in the order in which they come; empty where a message lacks it
   */
  public List<String> take(String queue, String property) {
    return client.take(queue, property);
  }

  /**
   * How many round trips all its clients together have made so far: questions that it has answered.
   * Of its present and earlier lives, except what others asked in the moment of a start.
   */
  public long roundTrips() {
    try {
      return AnswerCount.in(data.resolve(ArtemisMain.ANSWERS)).get();
    } catch (IOException e) {
      throw new UncheckedIOException("The count of answers in " + data + " cannot be read", e);
    }
  }

  /** Sends an empty durable message past everybody. */
  public void send(String queue, Map<String, String> properties) {
    client.send(queue, properties);
  }

  /** Ends it for good; its data stay. */
  @Override
  public void close() {
    kill();
  }

  private synchronized Process running() {
    return Objects.requireNonNull(process, "The broker was never started");
  }

  private void signal(String name) {
    List<String> command = List.of("kill", "-" + name, String.valueOf(running().pid()));
    try {
      int status = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (status != 0) {
        throw new IllegalStateException(command + " ended with " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(command + " does not work here", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
    command.add(ArtemisMain.class.getName());
    command.add(data.toString());
    command.addAll(settings.toArguments());
    return command;
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
