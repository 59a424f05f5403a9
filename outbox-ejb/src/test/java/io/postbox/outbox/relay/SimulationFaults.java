package io.postbox.outbox.relay;

import java.time.Duration;

/** How badly things go at the moment. */
final class SimulationFaults {
  double stalls;
  Duration longestStall = Duration.ZERO;
  double statementsFail;
  double commitsFail;
  double wakeUpsLost;
  double tasksRefused;
  double firstLoadsLost;
  Duration longestPoll = Duration.ZERO;
  boolean databaseDown;

  /** Everything works. */
  void clear() {
    stalls = 0;
    statementsFail = 0;
    commitsFail = 0;
    wakeUpsLost = 0;
    tasksRefused = 0;
    firstLoadsLost = 0;
    longestPoll = Duration.ZERO;
    databaseDown = false;
  }

  /** As bad as it gets. */
  void storm(SimulationScheduler scheduler) {
    stalls = scheduler.chance(0.5) ? 0 : 0.002;
    longestStall = Duration.ofSeconds(scheduler.chance(0.3) ? 90 : 3);
    statementsFail = scheduler.chance(0.5) ? 0 : 0.01;
    commitsFail = scheduler.chance(0.5) ? 0 : 0.03;
    wakeUpsLost = 0.1;
    tasksRefused = scheduler.chance(0.7) ? 0 : 0.05;
    firstLoadsLost = 0.2;
    longestPoll = Duration.ofSeconds(scheduler.chance(0.5) ? 0 : 4);
  }
}
