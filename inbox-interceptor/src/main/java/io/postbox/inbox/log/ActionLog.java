package io.postbox.inbox.log;

import io.postbox.common.OperatorAction;
import io.postbox.common.ops.ActionTexts;
import java.util.Optional;
import java.util.UUID;

/** The part of the catalogue of log lines about actions in the background. Thread-safe. */
public final class ActionLog {
  private ActionLog() {}

  /** An operator started an action. */
  public static void started(OperatorAction action) {
    InboxLog.LOG.info("IBX0072", ActionTexts.started(action));
  }

  /**
   * An operator paused, resumed or cancelled an action.
   *
   * @param how which of these
   */
  public static void changed(OperatorAction action, String how, String who, String why) {
    InboxLog.LOG.info("IBX0073", ActionTexts.changed(action, how, who, why));
  }

  /** An operator edited a parked message. */
  public static void edited(String which, String who, String why) {
    InboxLog.LOG.info(
        "IBX0076",
        "%s edited the %s, which stays parked under its id: %s".formatted(who, which, why));
  }

  /** An erasure has come to its end. */
  public static void erased(long rows, String subject, String who, String why) {
    InboxLog.LOG.info(
        "IBX0213",
        "%s erased %s rows of the inbox (%s): %s. Ids stay; logs, the broker and backups are not reached."
            .formatted(who, rows, subject, why));
  }

  /** An action has stopped by itself before its end. */
  public static void stopped(OperatorAction action) {
    InboxLog.LOG.warning("IBX0074", ActionTexts.stopped(action));
  }

  /** A step failed, or the look for one. */
  public static void stepFailed(Optional<UUID> action, Throwable cause) {
    InboxLog.LOG.warning("IBX0075", ActionTexts.failed(action, "counted") + InboxLog.reason(cause));
  }
}
