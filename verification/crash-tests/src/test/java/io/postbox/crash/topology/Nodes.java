package io.postbox.crash.topology;

import static io.postbox.crash.topology.MessageBroker.EMBEDDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.deployed.HostileServlet;
import io.postbox.crash.deployed.JobsApplication;
import io.postbox.crash.deployed.SampleChange;
import io.postbox.crash.deployed.TillArchive;
import io.postbox.crash.deployed.VersionsApplication;
import io.postbox.crash.load.Console;
import io.postbox.crash.load.HostileClient;
import io.postbox.crash.load.Operator;
import io.postbox.crash.load.OperatorClient;
import io.postbox.crash.load.OperatorScenes;
import io.postbox.crash.load.Versions;
import io.postbox.crash.load.VersionsClient;
import io.postbox.crash.report.Report;
import io.postbox.testkit.database.Database;
import io.postbox.testkit.database.H2Database;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.disk.Disk;
import io.postbox.testkit.model.Checker;
import io.postbox.testkit.model.Event;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.HostileSent;
import io.postbox.testkit.model.FinalState;
import io.postbox.testkit.model.History;
import io.postbox.testkit.model.HostileMessage;
import io.postbox.testkit.model.Quota;
import io.postbox.testkit.model.Sent;
import io.postbox.testkit.model.Terms;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.sample.Load;
import io.postbox.testkit.sample.Sample;
import io.postbox.testkit.server.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** One or several servers on one database, and what clients have seen of them. */
public final class Nodes implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(90);

  /** Until an operator has begun some actions: each has a trouble before it. */
  private static final Duration LONGEST_SCENES = Duration.ofMinutes(4);

  /** Until he has decided about all that is left, and the fourth copy of it is sent. */
  private static final Duration LONGEST_CALM = Duration.ofMinutes(8);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);

  private final Settings settings;
  private final Database database;
  private final List<LinkedBackend> backends;
  private final List<Node> nodes;
  private final List<Disk> disks = new ArrayList<>();
  private final History history = new History();
  private final Report report;
  private final Map<String, Long> stockBefore = new TreeMap<>();
  private final Versions versions = new Versions(history);
  private boolean haveVersions;
  private @Nullable Operator operator;

  private List<Node> targets = List.of();
  private FinalState state = FinalState.EMPTY;
  private Terms terms = Terms.USUAL;

  private Nodes(
      Settings settings,
      String name,
      Database database,
      List<LinkedBackend> backends,
      List<Node> nodes) {
    this.settings = settings;
    this.database = database;
    this.backends = backends;
    this.nodes = nodes;
    report = new Report(name, "./mvnw verify", settings.work());
  }

  /**
   * Makes them; does not start them.
   *
   * @param name their folders' begin with it
   * @param number how many
   * @param database closed with them
   * @param broker closed with them
   * @param backends which of these can be disturbed
   * @param variables more variables of the servers
   */
  static Nodes of(
      Settings settings,
      String name,
      int number,
      Database database,
      MessageBroker broker,
      List<LinkedBackend> backends,
      Map<String, String> variables) {
    List<Node> nodes =
        IntStream.rangeClosed(1, number)
            .mapToObj(
                i -> {
                  Path root = settings.work().resolve(name + "-" + i);
                  return Node.create(settings, database, broker, root, variables);
                })
            .toList();
    return new Nodes(settings, name, database, backends, nodes);
  }

  /**
   * Several, on PostgreSQL with XA.
   *
   * @param name their folders'
   * @param number how many
   * @param variables more variables of the servers
   */
  public static Nodes onPostgres(
      Settings settings, String name, int number, Map<String, String> variables) {
    Database database = new PostgresDatabase(settings.work().resolve(name + "-data"));
    return of(settings, name, number, database, EMBEDDED, List.of(), variables);
  }

  /**
   * One.
   *
   * @param name its folder's
   * @param database closed with it
   * @param broker closed with it
   * @param variables more variables of the server
   */
  public static Nodes one(
      Settings settings,
      String name,
      Database database,
      MessageBroker broker,
      Map<String, String> variables) {
    return of(settings, name, 1, database, broker, List.of(), variables);
  }

  /** One, on H2 within it. */
  public static Nodes onH2(Settings settings, String name, Map<String, String> variables) {
    Database database = new H2Database(settings.work().resolve(name + "-1"));
    return one(settings, name, database, EMBEDDED, variables);
  }

  /** Starts them, one after the other, since the sample's own tables want to be made by one. */
  public void start() {
    for (Node node : nodes) {
      mark(node, "started");
      node.start();
      mark(node, "ready");
    }
    stockBefore.putAll(nodes.get(0).sample().stock(Load.SKUS));
  }

  /** One of them, from 0. */
  public Node get(int index) {
    return nodes.get(index);
  }

  /** The way past the servers. */
  public Database database() {
    return database;
  }

  /** All of them. */
  public List<Node> all() {
    return nodes;
  }

  /**
   * Says to whom things will be done; before the start.
   *
   * @param number the first so many
   * @param rules the rules that they load for that, asleep; the others have none
   */
  public void target(int number, List<Rule> rules) {
    targets = nodes.subList(0, number);
    nodes.forEach(node -> node.rules().load(targets.contains(node) ? rules : List.of()));
  }

  /**
   * Says that the servers have bounds, which somebody hostile tries to break; before the start.
   *
   * @param bounds the bounds of the messages that are kept aside
   */
  public void underAttack(Quota bounds) {
    terms = new Terms(bounds, terms.isForgetful());
  }

  /** Says that the servers forget ids before the end; before the start. */
  public void forgetIds() {
    terms = new Terms(terms.quota(), true);
  }

  /** Those to whom things are done, in the order in which it is their turn. */
  public List<Node> targets(Random random) {
    List<Node> drawn = new ArrayList<>(targets);
    Collections.shuffle(drawn, random);
    return drawn;
  }

  /** A backend that can be disturbed. */
  public LinkedBackend backend(String name) {
    return backends.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  /** A disk that can be full. */
  public Disk disk(String name) {
    return disks.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  /** Disks that can be full; closed with these. */
  void lieOn(List<Disk> added) {
    disks.addAll(added);
  }

  /** Lets the sample's listeners leave the transaction to the inbox; before the start. */
  public void inOwnTransactions() {
    change(SampleChange.OWN_TRANSACTIONS);
  }

  /** Changes the sample; before the start. */
  public void change(SampleChange change) {
    nodes.forEach(node -> node.change(change));
  }

  /** Adds an application whose requests have keys; before the start. */
  public void addTill() {
    nodes.forEach(node -> TillArchive.addTo(node.liberty(), settings.workspace().artifacts()));
  }

  /** Adds consumers that handle versions of aggregates in their order; before the start. */
  public void orderVersions() {
    haveVersions = true;
    change(SampleChange.LISTENERS_OF_VERSIONS);
    nodes.forEach(
        node -> VersionsApplication.addTo(node.liberty(), node.broker().equals(EMBEDDED)));
  }

  /**
   * Adds consumers of jobs, and an operator who looks after their messages; before the start.
   *
   * @param mayInterrupt whether handlers may leave their thread interrupted
   */
  public void employOperator(boolean mayInterrupt) {
    operator = new Operator(history, mayInterrupt);
    change(SampleChange.JOBS);
    for (Node node : nodes) {
      JobsApplication.addTo(node.liberty(), node.broker().equals(EMBEDDED));
      node.rules().noteTries();
    }
  }

  /** Has the operator do something, for certain, through one of them. */
  public void act(Node node, Act act) {
    Operator somebody = Objects.requireNonNull(operator, "nobody is employed");
    OperatorScenes scenes = new OperatorScenes(somebody, settings.seed(), () -> false);
    try {
      act.of(scenes, new Console(node.server().base()));
    } catch (IOException unanswered) {
      mark(node, "an operator was not answered: " + unanswered);
    }
  }

  /** Something that an operator does. */
  @FunctionalInterface
  public interface Act {
    void of(OperatorScenes scenes, Console console) throws IOException;
  }

  /** How many actions the operator has begun so far. */
  public long actions() {
    return operator == null ? 0 : operator.begun();
  }

  /**
   * Waits until the operator, if there is one, has begun so many actions.
   *
   * @param number in all rounds
   */
  public void awaitActions(long number) {
    if (operator != null) {
      await(number + " actions of the operator")
          .atMost(LONGEST_SCENES)
          .until(() -> actions() >= number);
    }
  }

  /** Starts those that do not run, and waits until all can take an order. */
  public void startAgain() {
    for (Node node : nodes) {
      if (!node.server().isRunning()) {
        node.server().start();
        mark(node, "started, logs in " + node.server().logs().getFileName());
      }
      node.server().awaitReady();
    }
    mark("ready");
  }

  /** The events so far. */
  public List<Event> events() {
    return history.events();
  }

  /** How many events of a kind there are so far. */
  public long count(Class<? extends Event> kind) {
    return history.count(kind);
  }

  /** The time by which events are noted. */
  public Duration now() {
    return history.now();
  }

  /** The state that the latest check judged. */
  public FinalState state() {
    return state;
  }

  /** How many transactions are prepared and not decided; 0 where that cannot be asked now. */
  public int inDoubt() {
    return database.readableBesideServer() ? Tables.inDoubt(database).size() : 0;
  }

  /** The messages that the brokers have accepted so far, or were about to. */
  public List<Sent> sent() {
    return Sent.read(nodes.stream().map(node -> node.rules().sent()).toList());
  }

  /** Notes what was done to a server. */
  public void mark(Node node, String what) {
    history.mark(node.name(), what);
  }

  /** Notes what concerns all of them. */
  public void mark(String what) {
    history.mark("", what);
  }

  /** Clients of one of them: few, for there are several servers on one machine. */
  public Load load(Node node) {
    return load(node, 3);
  }

  /** So many clients of one of them. */
  public Load load(Node node, int clients) {
    return Load.start(node.sample(), history, nextSeed(), clients);
  }

  /** So many clients of one of them, each of which asks once in this time. */
  public Load load(Node node, int clients, Duration pace) {
    return Load.start(node.sample(), history, nextSeed(), clients, pace);
  }

  private long nextSeed() {
    return settings.seed() + history.events().size() * 1_000L;
  }

  /** The same, but what was ordered before is not sent again: the inbox may have forgotten it. */
  public Load ownLoad(Node node, int clients) {
    return Load.start(node.sample(), history, List.of(), nextSeed(), clients);
  }

  /** Those who send messages through one of them past its outbox. */
  public List<AutoCloseable> othersAt(Node node) {
    HostileClient hostile = hostileClient(node);
    long seed = settings.seed() + history.events().size();
    List<AutoCloseable> others = new ArrayList<>(List.of(hostile));
    if (haveVersions) {
      others.add(new VersionsClient(node.server().base(), versions, seed));
    }
    if (operator != null && node.equals(nodes.get(0))) {
      others.add(new OperatorClient(operator, consoles(), seed));
    }
    return others;
  }

  private List<Console> consoles() {
    return nodes.stream().map(node -> new Console(node.server().base())).toList();
  }

  /** Somebody hostile, and one of them. */
  public HostileClient hostileClient(Node node) {
    long seed = settings.seed() + history.events().size();
    return new HostileClient(
        node.server().base(), history, seed, !terms.quota().equals(Quota.NONE));
  }

  /** Sends one hostile message through one of them, for certain. */
  public void sendHostileMessage(Node node, HostileMessage kind, UUID tag) {
    history.hostile(kind, tag, HostileClient.send(node.server().base(), kind, tag, "", 0, 1));
  }

  /** Sends versions of an aggregate, in this order, for certain. */
  public void sendVersions(Node node, String aggregate, String queue, Long... numbers) {
    if (!versions.send(node.server().base(), aggregate, queue, List.of(numbers))) {
      throw new IllegalStateException("Versions of " + aggregate + " were not sent");
    }
  }

  /** Sends so many of those that only fill the tables through one of them. */
  public void flood(Node node, int times) {
    UUID first = UUID.randomUUID();
    boolean isSent =
        HostileClient.send(
            node.server().base(),
            HostileMessage.FLOOD,
            first,
            "",
            HostileClient.FLOOD_LENGTH,
            times);
    for (int i = 0; i < times; i++) {
      history.hostile(HostileMessage.FLOOD, HostileServlet.tag(first, i), isSent);
    }
  }

  /** Orders that are answered, one after the other. */
  public List<Acknowledged> order(Node node, int number) {
    List<Acknowledged> answered = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      answered.add(Load.order(node.sample(), history, Load.SKUS.get(0), 1).orElseThrow());
    }
    return answered;
  }

  /** One order that is not answered. */
  public void orderInVain(Node node) {
    if (Load.order(node.sample(), history, Load.SKUS.get(0), 1).isPresent()) {
      throw new IllegalStateException("An order that was to fail was answered 201");
    }
  }

  /** Asks for an order's first message again. */
  public void resend(Node node, Acknowledged order) {
    Load.resend(node.sample(), history, order.orderId());
  }

  /** Waits until these orders are shipped and say so, whichever servers run. */
  public void awaitShipped(List<Acknowledged> orders) {
    List<Long> ids = orders.stream().map(Acknowledged::orderId).toList();
    await("shipment of " + ids.size() + " orders")
        .atMost(LONGEST)
        .until(
            () ->
                Tables.read(database, Map.of(), Map.of(), List.of()).orders().stream()
                        .filter(order -> ids.contains(order.id()))
                        .filter(order -> order.status().equals("SHIPPED"))
                        .count()
                    == ids.size());
  }

  /** Waits until all that was ordered has gone all the way. All have to run. */
  public void awaitRest() {
    if (!comeToRest()) {
      throw new AssertionError("Not at rest.\n" + explain(check()));
    }
  }

  /**
   * The same, with one more order from each, or who is at rest may be dead; notes and returns
   * whether they have come to rest.
   */
  public boolean settle() {
    nodes.forEach(node -> order(node, 1));
    versions.sendOwed(nodes.get(0).server().base());
    boolean isTidy = isTidyWithin(LONGEST_CALM);
    boolean atRest = isTidy && comeToRest();
    mark(atRest ? "at rest" : "still not at rest");
    return atRest;
  }

  /** Whether the operator, if there is one, has decided about all that waited for it. */
  public boolean isTidyWithin(Duration limit) {
    return operator == null || operator.tidyUp(consoles().get(0), limit);
  }

  /**
   * Whether all has come to rest, and stays so for a moment: a slow request may be on its way.
   * {@link ProgressTimeout} says how much time it has.
   */
  private boolean comeToRest() {
    ProgressTimeout timeout = new ProgressTimeout(history.now());
    while (!comeToRestWithin(LOOK_AGAIN)) {
      if (timeout.isOver(history.now(), done())) {
        return false;
      }
    }
    return true;
  }

  private boolean comeToRestWithin(Duration limit) {
    try {
      await("rest")
          .atMost(limit)
          .during(Duration.ofSeconds(1))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(100))
          .ignoreExceptions() // one may be too busy to answer
          .until(this::isAtRest);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  /** 0 if nobody answers. */
  private long done() {
    try {
      Node any = nodes.get(0); // they have one database
      return any.sample().totals().done()
          + versions.handled(any.server().base())
          + (operator == null ? 0 : operator.done(consoles().get(0)));
    } catch (IOException busy) {
      return 0;
    }
  }

  private boolean isAtRest() throws IOException {
    for (Node node : nodes) {
      if (!rest(node).isThere()) {
        return false;
      }
    }
    return versions.areHandled(nodes.get(0).server().base());
  }

  /** The counts of one node's sample, which answers when it is at rest. */
  Sample.Totals totals(Node node) {
    return rest(node).totals();
  }

  /**
   * The violations after a round, as far as the sample's own counts show them, with its database
   * inside a server that runs on. All are at rest.
   */
  public List<Violation> wrongCounts(int round) {
    Sample.Totals totals = totals(nodes.get(0));
    return totals.wrong(history.count(Acknowledged.class), history.count(HostileSent.class))
        ? List.of(new Violation.WrongCounts(round, totals.toString()))
        : List.of();
  }

  /** Asserts the same, and that they are at rest. Nobody hostile was there. */
  public void assertNothingIsOpen() {
    Sample.Totals totals = totals(nodes.get(0));
    long promised = history.count(Acknowledged.class);
    assertThat(totals)
        .as("%s orders were promised", promised)
        .matches(Sample.Totals::atRest)
        .matches(found -> !found.wrong(promised, 0));
  }

  /** The state of everything so far. Kills a server whose database is inside it. */
  public List<Violation> check() {
    Map<String, Long> queues = new TreeMap<>();
    for (Node node : nodes) {
      node.queues().forEach((queue, depth) -> queues.put(node.name() + " " + queue, depth));
    }
    if (!database.readableBesideServer()) {
      nodes.forEach(Node::close);
    }
    state = Tables.read(database, stockBefore, queues, sent(), processes(), history::at);
    return Checker.check(history.events(), state, terms);
  }

  /** The story of the latest check's violations, for a person. */
  public String explain(List<Violation> violations) {
    return report.failure(history.events(), state, violations)
        + "Kept: %s\n".formatted(whereabouts());
  }

  /** Tells a person where to look after a failure. */
  public String whereabouts() {
    return "%s; servers, data and logs in %s"
        .formatted(
            database.whereabouts(),
            nodes.stream().map(node -> node.folder().root().toString()).toList());
  }

  private Quiescence rest(Node node) {
    return new Quiescence(node.sample(), database, processes(), () -> living(node.queues()));
  }

  private Set<Long> processes() {
    return nodes.stream().map(node -> node.server().pid()).collect(Collectors.toSet());
  }

  /** Without the queue in which things are left to lie. */
  private static Map<String, Long> living(Map<String, Long> queues) {
    Map<String, Long> living = new TreeMap<>(queues);
    living.remove(HostileMessage.DEAD_QUEUE);
    return living;
  }

  @Override
  public void close() {
    List<AutoCloseable> all = new ArrayList<>(nodes);
    nodes.forEach(node -> all.add(node.broker()));
    backends.forEach(backend -> all.add(backend.link()));
    all.add(database);
    disks.stream().map(Disk::disks).distinct().forEach(all::add);
    CloseAll.all(all);
  }
}
