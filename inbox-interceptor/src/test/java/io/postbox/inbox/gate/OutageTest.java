package io.postbox.inbox.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.platform.Endpoints;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.LogLines;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutageTest {
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final SQLException REFUSED = new SQLException("connection refused", "08001");

  /** After the one that asks and the one that lists the endpoints. */
  private static final int FIRST_ENDPOINTS_THREAD = 3;

  private final Thread testsOwn = Thread.currentThread();
  private final FakeTime time = new FakeTime();
  private final FakeEndpoints endpoints = new FakeEndpoints();
  private final LogLines lines = new LogLines();
  private final DatabaseMonitor database =
      new DatabaseMonitor(WAIT, time, this::ask, endpoints, this::startThread);
  private final ApplicationGate gate =
      new ApplicationGate(GRACE, time, database, new HoldingThrottle(time));

  private boolean databaseIsDown;
  private boolean noThreads;
  private boolean poolIsStarved;
  private boolean exhausted;
  private boolean leavesInterrupts;
  private int exhaustedFrom = Integer.MAX_VALUE;
  private int asked;
  private long hangsUntil;
  private long slowToHear;
  private final List<Duration> noticed = new ArrayList<>();

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void aDatabaseThatAnswersAtOnceAgainIsNoOutage() {
    gate.enter("shipping");

    database.failed(REFUSED);

    assertThat(time.now()).isZero();
    assertThat(database.outage()).isEmpty();
    assertThat(endpoints.log).isEmpty();
    assertThat(lines.all()).isEmpty();
  }

  @Test
  void itIsAskedEverySecondAndConsumptionGoesOnByItself() {
    databaseIsDown = true;
    time.at(7, () -> databaseIsDown = false);

    database.failed(REFUSED);
    time.run();

    assertThat(asked).isEqualTo(8);
    assertThat(endpoints.log)
        .containsExactlyInAnyOrder(
            "pause shop#a.jar#A",
            "pause shop#b.jar#B",
            "resume shop#a.jar#A",
            "resume shop#b.jar#B");
    assertThat(lines.all())
        .satisfiesExactly(
            begin -> assertThat(begin).startsWith("IBX0020").contains("connection refused"),
            end -> assertThat(end).startsWith("IBX0021").contains("after 7 s"));
    assertThat(database.outage()).isEmpty();
    gate.enter("shipping");
  }

  /** Drivers and the server may leave one behind on the inbox's own threads. */
  @Test
  void anInterruptEndsNeitherTheProbesNorThePauses() {
    databaseIsDown = true;
    leavesInterrupts = true;
    endpoints.onPause = () -> Thread.currentThread().interrupt();
    time.at(7, () -> databaseIsDown = false);
    time.at(8, () -> leavesInterrupts = false);

    database.failed(REFUSED);
    Thread.interrupted(); // this thread plays the others, too
    time.run();

    assertThat(endpoints.log).hasSize(4).contains("resume shop#a.jar#A", "resume shop#b.jar#B");
    assertThat(endpoints.paused).isEmpty();
    assertThat(database.outage()).isEmpty();
  }

  @Test
  void aDeliveryWaitsSoLongAndIsThenRedelivered() {
    time.free = 0; // the probe hangs
    database.failed(REFUSED);
    assertThat(time.now()).isEqualTo(WAIT);
    assertThat(database.outage()).contains(WAIT);
    assertThat(lines.all()).singleElement().asString().startsWith("IBX0020");

    assertThatThrownBy(() -> gate.enter("shipping"))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("'shipping'")
        .hasMessageContaining("PT20S")
        .hasMessageContaining("is redelivered");
    assertThat(time.now()).isEqualTo(WAIT.multipliedBy(2));
  }

  /** Its message stays in the queue then, and the pause would have to wait for it. */
  @Test
  void whileEndpointsArePausedADeliveryWaitsForAShortTime() {
    DatabaseOutages outages = new DatabaseOutages(time, this::ask, endpoints, this::startThread);
    databaseIsDown = true;
    time.at(
        5,
        () -> {
          Duration start = time.now();
          assertThat(outages.awaitAnswer(WAIT)).isFalse();
          assertThat(time.now().minus(start)).isEqualTo(DatabaseOutages.WHILE_PAUSING);
        });
    time.at(9, () -> databaseIsDown = false);

    outages.suspect(REFUSED);
    time.run();

    assertThat(outages.duration()).isEmpty();
  }

  @Test
  void wherePausingFailsADeliveryWaitsForItsTime() {
    DatabaseOutages outages = new DatabaseOutages(time, this::ask, endpoints, this::startThread);
    endpoints.onPause =
        () -> {
          throw new IllegalStateException("not now");
        };
    databaseIsDown = true;
    time.at(
        5,
        () -> {
          Duration start = time.now();
          assertThat(outages.awaitAnswer(WAIT)).isFalse();
          assertThat(time.now().minus(start)).isEqualTo(WAIT);
          databaseIsDown = false;
        });

    outages.suspect(REFUSED);
    time.run();

    assertThat(lines.all()).filteredOn(line -> line.startsWith("IBX0023")).hasSize(2);
  }

  /** As where a handler uses another database, which is down. */
  @Test
  void aConnectionThatAHandlerLostIsNoSuspicionWhileTheInboxsDatabaseAnswers() {
    time.at(0, () -> assertThat(database.isSuspected()).as("seen by neighbours").isFalse());

    for (int i = 0; i < 3; i++) {
      database.verify(REFUSED);
      assertThat(database.isSuspected()).isFalse();
    }

    assertThat(asked).as("a question for each, asked after it").isEqualTo(3);
    assertThat(time.now()).isZero();
    assertThat(database.outages()).isZero();
    assertThat(lines.all()).isEmpty();
  }

  @Test
  void aConnectionThatAHandlerLostFindsAnOutageOfTheInboxsDatabase() {
    databaseIsDown = true;
    time.at(7, () -> databaseIsDown = false);

    database.verify(REFUSED);

    assertThat(database.outages()).as("so that its failure is nobody's fault").isEqualTo(1);
    assertThat(time.now()).isGreaterThanOrEqualTo(DatabaseOutages.WHILE_PAUSING);
  }

  @Test
  void aPoolThatHasNoConnectionToGiveAnnouncesNoOutage() {
    poolIsStarved = true;

    database.probe();
    database.probe();
    database.verify(REFUSED);

    assertThat(database.isSuspected()).isFalse();
    assertThat(lines.all()).filteredOn(line -> line.startsWith("IBX0020")).isEmpty();
    assertThat(lines.all()).filteredOn(line -> line.startsWith("IBX0121")).isNotEmpty();
  }

  @Test
  void aDeliveryIsLetInAsSoonAsTheDatabaseAnswers() {
    time.free = 0;
    database.failed(REFUSED);
    time.at(25, () -> time.free = 2);

    gate.enter("shipping");

    assertThat(time.now()).isEqualTo(Duration.ofSeconds(25));
  }

  @Test
  void oneOutageHasOneThreadThatAsksAndOneForEachEndpointHoweverManyNotice() {
    databaseIsDown = true;
    time.at(2, () -> databaseIsDown = false);
    for (int i = 0; i < 5; i++) {
      time.at(1, () -> database.failed(REFUSED));
    }
    database.failed(REFUSED);
    time.run();

    assertThat(time.threads).as("asks, lists, and pauses and resumes two").isEqualTo(6);
    assertThat(lines.all()).hasSize(2);
  }

  @Test
  void anEndpointThatAPersonHasPausedIsNotResumed() {
    endpoints.paused.add("shop#a.jar#A");
    databaseIsDown = true;
    time.at(3, () -> databaseIsDown = false);

    database.failed(REFUSED);
    time.run();

    assertThat(endpoints.paused).containsExactly("shop#a.jar#A");
  }

  @Test
  void anEndpointThatCannotBeResumedIsTriedAgain() {
    databaseIsDown = true;
    endpoints.refusals = 3;
    time.at(3, () -> databaseIsDown = false);

    database.failed(REFUSED);
    time.run();

    assertThat(endpoints.paused).isEmpty();
    assertThat(lines.all()).filteredOn(line -> line.startsWith("IBX0024")).hasSize(3);
  }

  /** It lasts until the last delivery of an endpoint is over. */
  @Test
  void nobodyWaitsForThePause() {
    databaseIsDown = true;
    time.free = 1; // the list hangs
    time.at(4, () -> databaseIsDown = false);
    time.at(6, () -> gate.enter("shipping"));
    time.at(7, () -> assertThat(time.now()).isEqualTo(Duration.ofSeconds(7)));
    time.at(8, time::begin);

    database.failed(REFUSED);
    time.run();

    assertThat(time.threads).isEqualTo(2);
    assertThat(endpoints.log).isEmpty();
  }

  /**
   * Its handler takes as long as it takes, and the others' consumers have nothing to do with it.
   */
  @Test
  void anEndpointWhosePauseHangsKeepsNoOtherOnePaused() {
    time.real = FIRST_ENDPOINTS_THREAD;
    databaseIsDown = true;
    time.at(2, () -> databaseIsDown = false);

    database.failed(REFUSED);
    time.run();

    assertThat(time.now()).isEqualTo(Duration.ofSeconds(2));
    assertThat(endpoints.log).containsExactly("pause shop#b.jar#B", "resume shop#b.jar#B");
    time.goOn();
    time.run();
    assertThat(endpoints.log)
        .as("a pause that comes late is undone")
        .endsWith("pause shop#a.jar#A", "resume shop#a.jar#A");
    assertThat(endpoints.paused).isEmpty();
    assertThat(lines.all()).hasSize(2);
  }

  /** A server that pauses one endpoint at a time would let all others wait for its handler. */
  @Test
  void anEndpointWhoseHandlerIsAtWorkIsPausedWhenThatIsOver() {
    endpoints.busy.add("shop#a.jar#A");
    databaseIsDown = true;
    time.at(3, () -> assertThat(endpoints.log).containsExactly("pause shop#b.jar#B"));
    time.at(3, endpoints.busy::clear);
    time.at(6, () -> assertThat(endpoints.paused).hasSize(2));
    time.at(7, () -> databaseIsDown = false);

    database.failed(REFUSED);
    time.run();

    assertThat(endpoints.log).hasSize(4).filteredOn("pause shop#a.jar#A"::equals).hasSize(1);
    assertThat(endpoints.paused).isEmpty();
  }

  @Test
  void anEndpointWhoseHandlerOutlastsTheOutageIsNeverPaused() {
    endpoints.busy.add("shop#a.jar#A");
    databaseIsDown = true;
    time.at(7, () -> databaseIsDown = false);

    database.failed(REFUSED);
    time.run();

    assertThat(endpoints.log).containsExactly("pause shop#b.jar#B", "resume shop#b.jar#B");
  }

  @Test
  void aPauseThatOutlastsItsOutageCountsForTheNextOne() {
    time.real = FIRST_ENDPOINTS_THREAD;
    databaseIsDown = true;
    time.at(2, () -> databaseIsDown = false);
    database.failed(REFUSED);
    time.run();
    databaseIsDown = true;
    time.at(4, () -> assertThat(endpoints.paused).containsExactly("shop#b.jar#B"));
    time.at(4, time::goOn);
    time.at(6, () -> assertThat(endpoints.paused).as("and once each").hasSize(2));
    time.at(7, () -> databaseIsDown = false);

    database.failed(REFUSED);
    time.run();

    assertThat(endpoints.log).filteredOn("pause shop#a.jar#A"::equals).hasSize(1);
    assertThat(endpoints.paused).isEmpty();
  }

  @Test
  void withoutAThreadAnEndpointIsResumedLater() {
    databaseIsDown = true;
    time.at(
        2,
        () -> {
          databaseIsDown = false;
          exhausted = true;
        });
    time.at(5, () -> exhausted = false);

    database.failed(REFUSED);
    time.run();

    assertThat(endpoints.paused).isEmpty();
    assertThat(endpoints.log).hasSize(4);
    assertThat(lines.all()).filteredOn(line -> line.startsWith("IBX0024")).isNotEmpty();
  }

  @Test
  void anEndpointForWhichThereIsNoThreadRunsOn() {
    databaseIsDown = true;
    time.at(2, () -> databaseIsDown = false);
    exhaustedFrom = 3;

    database.failed(REFUSED);
    time.run();

    assertThat(endpoints.log).isEmpty();
    assertThat(lines.all())
        .filteredOn(line -> line.startsWith("IBX0023"))
        .hasSize(2)
        .first()
        .asString()
        .contains("unable to create native thread");
  }

  @Test
  void anErrorOfTheServersListEndsNothing() {
    endpoints.broken = new StackOverflowError("while listing");
    databaseIsDown = true;
    time.at(2, () -> databaseIsDown = false);

    database.failed(REFUSED);
    time.run();

    assertThat(lines.all()).filteredOn(line -> line.startsWith("IBX0023")).hasSize(1);
    endpoints.broken = null;
    databaseIsDown = true;
    time.at(5, () -> databaseIsDown = false);
    database.failed(REFUSED);
    time.run();
    assertThat(endpoints.log).as("the next outage").hasSize(4);
  }

  /** Nobody would notice: nothing is delivered. */
  @Test
  void pausedEndpointsAreResumedAlsoIfTheWatchBreaksDown() {
    databaseIsDown = true;
    time.at(
        3,
        () -> {
          throw new OutOfMemoryError("here and now");
        });
    database.failed(REFUSED);
    time.run();
    assertThat(endpoints.paused).hasSize(2);
    databaseIsDown = false;

    database.checkPatience();
    time.run();

    assertThat(endpoints.paused).isEmpty();
    assertThat(lines.all()).filteredOn(line -> line.startsWith("IBX0022")).hasSize(1);
  }

  @Test
  void theDatabaseMayFailAgainWhileThePauseOfTheLastOutageLasts() {
    DatabaseMonitor impatient =
        new DatabaseMonitor(Duration.ZERO, time, this::ask, endpoints, this::startThread);
    databaseIsDown = true;
    time.free = 1; // the list hangs
    time.at(2, () -> databaseIsDown = false);
    time.at(
        4,
        () -> {
          databaseIsDown = true;
          time.begin(); // it does not pause any more
          time.free = Integer.MAX_VALUE;
          impatient.failed(REFUSED);
        });
    time.at(8, () -> assertThat(endpoints.paused).hasSize(2));
    time.at(9, () -> databaseIsDown = false);

    impatient.failed(REFUSED);
    time.run();

    assertThat(endpoints.log).hasSize(4);
    assertThat(endpoints.paused).isEmpty();
    assertThat(lines.all()).hasSize(4);
  }

  @Test
  void aDatabaseThatIsGoneIsNoticedWithoutAnyDelivery() {
    databaseIsDown = true;
    time.at(3, () -> databaseIsDown = false);

    database.probe();
    time.run();

    assertThat(lines.all())
        .satisfiesExactly(
            begin -> assertThat(begin).startsWith("IBX0020").contains("connection refused"),
            end -> assertThat(end).startsWith("IBX0021").contains("after 3 s"));
    assertThat(endpoints.log).hasSize(4);
  }

  @Test
  void aDatabaseThatHangsIsNoticedAlthoughNoDeliveryFails() {
    lookEverySecond();
    hangsUntil = 20;

    database.probe();
    time.run();

    assertThat(noticed).containsExactly(Duration.ofSeconds(5));
    assertThat(lines.all())
        .satisfiesExactly(
            begin -> assertThat(begin).startsWith("IBX0020").contains("no answer within PT5S"),
            end -> assertThat(end).startsWith("IBX0021").contains("after 20 s"));
    assertThat(endpoints.paused).isEmpty();
    assertThat(endpoints.log).hasSize(4);
    assertThat(database.outages()).isOne();
  }

  /** A probe from before the end may get its answer later, on a connection that hangs. */
  @ParameterizedTest
  @ValueSource(longs = {3, 30})
  void anOutageThatIsOverIsNotAnnouncedAgain(long later) {
    lookEverySecond();
    hangsUntil = 20;
    slowToHear = later;

    database.probe();
    time.run();

    assertThat(lines.all()).hasSize(2);
    assertThat(database.outages()).isOne();
  }

  /** Such as one that is suspended, with its machine. */
  @Test
  void aProcessThatStoodStillHasNotWaited() {
    time.at(20, database::checkPatience);
    time.at(21, database::checkPatience);
    hangsUntil = 22;

    database.probe();
    time.run();

    assertThat(lines.all()).isEmpty();
  }

  @Test
  void aSlowAnswerIsNoOutage() {
    lookEverySecond();
    hangsUntil = 4;

    database.probe();
    time.run();

    assertThat(lines.all()).isEmpty();
    assertThat(database.outages()).isZero();
  }

  @Test
  void nothingIsAskedAfterTheStop() {
    gate.stop();

    database.probe();
    database.checkPatience();

    assertThat(asked).isZero();
    assertThat(time.threads).isZero();
  }

  @Test
  void withoutAThreadDeliveriesFindOutForThemselves() {
    noThreads = true;
    databaseIsDown = true;

    database.failed(REFUSED);
    gate.enter("shipping");

    assertThat(lines.all()).singleElement().asString().startsWith("IBX0022");
  }

  @Test
  void aWaitingThreadIsSentAwayWhenTheApplicationStops() {
    databaseIsDown = true;
    time.at(2, gate::stop);

    database.failed(REFUSED);

    assertThat(time.now()).isEqualTo(Duration.ofSeconds(2));
    assertThatThrownBy(() -> gate.enter("shipping"))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("stops");
    int askedBefore = asked;
    time.run();
    assertThat(asked).isEqualTo(askedBefore);
  }

  /** Somebody else than the one who asks. */
  private void lookEverySecond() {
    for (int second = 1; second <= 30; second++) {
      time.at(
          second,
          () -> {
            database.checkPatience();
            if (database.outage().isPresent() && noticed.isEmpty()) {
              noticed.add(time.now());
            }
          });
    }
  }

  private void ask() throws SQLException {
    if (poolIsStarved) {
      asked++;
      throw new SQLTransientConnectionException("timed out after 30 s");
    }
    long until = hangsUntil + (asked == 0 ? slowToHear : 0);
    asked++;
    while (time.now().toSeconds() < until) {
      time.pass(this, Duration.ofSeconds(1));
    }
    if (leavesInterrupts) {
      Thread.currentThread().interrupt();
    }
    if (databaseIsDown) {
      throw REFUSED;
    }
  }

  private void startThread(Runnable task) {
    if (noThreads) {
      throw new RejectedExecutionException("stopping");
    }
    if (exhausted || time.threads + 1 >= exhaustedFrom) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    time.execute(task);
  }

  private final class FakeEndpoints implements Endpoints {
    private final Set<String> all = new TreeSet<>(List.of("shop#a.jar#A", "shop#b.jar#B"));
    private final Set<String> paused = new TreeSet<>();
    private final List<String> log = new ArrayList<>();
    private int refusals;
    private final Set<String> busy = new TreeSet<>();
    private Runnable onPause = () -> {};
    private @Nullable Error broken;

    @Override
    public Collection<String> running() {
      if (broken != null) {
        throw broken;
      }
      return all.stream().filter(id -> !paused.contains(id)).toList();
    }

    @Override
    public boolean isBusy(String id) {
      return busy.contains(id);
    }

    @Override
    public void pause(String id) {
      onPause.run();
      if (Thread.currentThread() != testsOwn) {
        time.hang();
      }
      paused.add(id);
      log.add("pause " + id);
    }

    @Override
    public void resume(String id) {
      if (refusals > 0) {
        refusals--;
        throw new IllegalStateException("not now");
      }
      paused.remove(id);
      log.add("resume " + id);
    }
  }
}
