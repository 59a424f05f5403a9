package io.postbox.crash.topology;

import static io.postbox.testkit.database.Backend.BROKER;
import static io.postbox.testkit.database.Backend.DATABASE;

import io.postbox.testkit.database.Backend;
import io.postbox.testkit.database.Database;
import io.postbox.testkit.database.H2Database;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.disk.Disk;
import io.postbox.testkit.disk.Folders;
import io.postbox.testkit.disk.SmallDisks;
import io.postbox.testkit.server.ServerKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes what a campaign runs on: one database and one broker, each behind a link if it is a process
 * of its own, and the servers.
 */
public final class Topology implements AutoCloseable {
  /** Liberty's default, so that messages leave the log for the store while its disk is full. */
  private static final String SMALL_LOG =
      """
      <server>
        <messagingEngine>
          <fileStore logFileSize="10"/>
        </messagingEngine>
      </server>
      """;

  private final Settings settings;
  private final String name;
  private final boolean smallDisks;
  private final List<AutoCloseable> made = new ArrayList<>();
  private final List<LinkedBackend> backends = new ArrayList<>();
  private final List<Disk> disks = new ArrayList<>();
  private final Map<String, String> variables = new TreeMap<>();
  private final List<String> inServer = new ArrayList<>();

  /**
   * @param name folders begin with it
   * @param smallDisks whether what must survive lies on disks that can be full
   */
  public Topology(Settings settings, String name, boolean smallDisks) {
    this.settings = settings;
    this.name = name;
    this.smallDisks = smallDisks;
  }

  public Database h2() {
    inServer.add(DATABASE);
    return new H2Database(folder("1"));
  }

  public Database postgres(Map<String, String> more) {
    PostgresDatabase postgres = new PostgresDatabase(folder("data"));
    made.add(postgres);
    if (smallDisks) {
      disks.addAll(postgres.moveToSmallDisks());
      made.add(disks.get(0).disks());
    }
    variables.putAll(more);
    variables.put("postbox.postgresql.port", link(DATABASE, postgres, postgres.port()));
    return postgres;
  }

  public MessageBroker embedded() {
    inServer.add(BROKER);
    return switch (settings.kind()) {
      case LIBERTY -> MessageBroker.EMBEDDED;
      case WILDFLY -> MessageBroker.OF_WILDFLY;
      case PAYARA -> MessageBroker.OF_PAYARA;
    };
  }

  public MessageBroker artemis() {
    Artemis artemis = smallDisks ? artemisOnSmallDisk() : Artemis.start(settings, folder("broker"));
    made.add(artemis);
    variables.put("postbox.artemis.port", link(BROKER, artemis, artemis.port()));
    return artemis;
  }

  private Artemis artemisOnSmallDisk() {
    Path data = anew(folder("broker"));
    SmallDisks small = SmallDisks.over(List.of(data));
    made.add(small);
    Artemis artemis = Artemis.start(settings, data, small);
    disks.add(new Disk(BROKER, small, data, artemis::revive));
    return artemis;
  }

  /** The port at which the servers reach it. */
  private String link(String backend, Backend process, int port) {
    Link link = new Link(backend, port);
    made.add(link);
    backends.add(new LinkedBackend(backend, process, link));
    return String.valueOf(link.port());
  }

  /**
   * The servers, not started, with all that was made for them; closed with them.
   *
   * @param number how many
   * @param more variables of theirs
   */
  public Nodes nodes(
      int number, Database database, MessageBroker broker, Map<String, String> more) {
    variables.putAll(more);
    Nodes nodes = Nodes.of(settings, name, number, database, broker, backends, variables);
    if (smallDisks && !inServer.isEmpty()) {
      disks.addAll(inside(nodes.get(0), database));
    }
    nodes.lieOn(disks);
    return nodes;
  }

  /** Those of what lives in a server, which is started again with it. */
  private List<Disk> inside(Node node, Database database) {
    Map<String, Path> folders =
        Map.of(DATABASE, node.folder().h2(), BROKER, node.folder().messages());
    if (inServer.contains(BROKER) && settings.kind() == ServerKind.LIBERTY) {
      node.liberty().override("store.xml", SMALL_LOG);
    }
    List<Path> own = inServer.stream().map(folders::get).map(Topology::anew).toList();
    SmallDisks small = SmallDisks.over(own);
    made.add(small);
    node.server().see(small);
    if (database instanceof H2Database h2) {
      h2.see(small);
    }
    return inServer.stream()
        .map(
            store ->
                new Disk(
                    store,
                    small,
                    folders.get(store),
                    () -> store.equals(BROKER) && endIfMessagingIsDead(node)))
        .toList();
  }

  /** The engine within a server does not come back without it. */
  private static boolean endIfMessagingIsDead(Node node) {
    boolean dead = !node.server().lines("CWSIS1590E").isEmpty();
    if (dead) {
      node.server().kill();
    }
    return dead;
  }

  private static Path anew(Path folder) {
    try {
      Folders.deleteAll(folder);
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be made anew", e);
    }
  }

  private Path folder(String what) {
    return settings.work().resolve(name + "-" + what);
  }

  /** Closes what was made so far if the rest cannot be made. */
  @Override
  public void close() {
    CloseAll.all(made);
  }
}
