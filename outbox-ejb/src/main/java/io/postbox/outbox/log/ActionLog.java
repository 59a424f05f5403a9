package io.postbox.outbox.log;

import io.postbox.common.OperatorAction;
import io.postbox.common.ops.ActionTexts;
import java.util.Optional;
import java.util.UUID;

/** The part of the catalogue of log lines about actions in the background. Thread-safe. */
public final class ActionLog {
  private ActionLog() {}

  /** An operator started an action. */
  public static void started(OperatorAction action) {
    OutboxLog.LOG.info("OBX0074", ActionTexts.started(action));
  }

  /**
   * An operator paused, resumed or cancelled an action.
   *
   * @param how which of these
   */
  public static void changed(OperatorAction action, String how, String who, String why) {
    OutboxLog.LOG.info("OBX0075", ActionTexts.changed(action, how, who, why));
  }

  /** An operator resent an archived message. */
  public static void resent(String which, String destination, String who, String why) {
    OutboxLog.LOG.info(
        "OBX0078",
        "%s enqueued the archived %s to '%s' again: %s".formatted(who, which, destination, why));
  }

  /** An operator edited a dead letter. */
  public static void edited(UUID id, UUID newId, String who, String why) {
    OutboxLog.LOG.info(
        "OBX0079",
        "%s edited the dead letter %s, which keeps its place and is %s from now on: %s"
            .formatted(who, id, newId, why));
  }

  /** An erasure has come to its end. */
  public static void erased(long rows, String subject, String who, String why) {
    OutboxLog.LOG.info(
        "OBX0095",
        "%s erased %s rows of the outbox (%s): %s. Ids stay; logs, the broker and backups are not reached."
            .formatted(who, rows, subject, why));
  }

  /** An action has stopped by itself before its end. */
  public static void stopped(OperatorAction action) {
    OutboxLog.LOG.warning("OBX0076", ActionTexts.stopped(action));
  }

  /** A step failed, or the look for one. */
  public static void stepFailed(Optional<UUID> action, Throwable cause) {
    OutboxLog.LOG.warning(
        "OBX0077", ActionTexts.failed(action, "changed") + OutboxLog.reason(cause));
  }
}
