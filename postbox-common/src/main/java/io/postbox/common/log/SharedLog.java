package io.postbox.common.log;

import io.postbox.common.OperatorAction;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The part of the catalogue of log lines that both modules have, each with ids of its own: about
 * their start, their database, their observers, and operators' actions in the background.
 * Thread-safe.
 */
public final class SharedLog {
  private final String module;
  private final ModuleLog log;
  private final ExceptionDetail exceptions;

  /**
   * @param module outbox or inbox
   * @param log the module's
   * @param exceptions how much the log says of exceptions
   */
  public SharedLog(String module, ModuleLog log, ExceptionDetail exceptions) {
    this.module = module;
    this.log = log;
    this.exceptions = exceptions;
  }

  /** The one of two words or ids that is the module's. */
  public String either(String ofOutbox, String ofInbox) {
    return module.equals("outbox") ? ofOutbox : ofInbox;
  }

  /** How much the log says of exceptions. */
  public ExceptionDetail exceptions() {
    return exceptions;
  }

  public void started(String settings) {
    log.info(either("OBX0001", "IBX0001"), "The %s is ready: %s".formatted(module, settings));
  }

  /** An unknown key is set, and postbox.unknown-keys=report. */
  public void unknownKey(String problem) {
    log.warning(either("OBX0002", "IBX0002"), problem);
  }

  public void databaseNotReady(Throwable cause) {
    log.warning(
        either("OBX0003", "IBX0003"),
        "The %s is not ready because its database failed: %s; check the database. Reason: %s"
            .formatted(
                module,
                either(
                    "enqueue fails on this node and the relay does not run. The node retries every"
                        + " few seconds",
                    "deliveries fail and are redelivered. The inbox retries with every delivery"),
                exceptions.chain(cause)));
  }

  public void refused(String problem) {
    log.error(either("OBX0011", "IBX0004"), problem);
  }

  public void tablesInUse(@Nullable String problem) {
    log.warning(
        either("OBX0080", "IBX0100"),
        "The %s is not ready because its tables are incomplete: %s. Reason: %s. The node retries every few seconds and gives up each time after a moment, so that no other node's %s queues behind it. End the database's long transactions, or create the missing parts yourself (CREATE INDEX CONCURRENTLY waits without blocking others)."
            .formatted(
                module,
                either(
                    "enqueue fails on this node and the relay does not run",
                    "deliveries to this node fail and are redelivered"),
                problem,
                either("enqueue", "delivery")));
  }

  public void laterTables(String found, String known) {
    log.info(
        either("OBX0081", "IBX0101"),
        "The %s's tables have version %s, and this release makes version %s: a later one has added to them, and this node works on them as before"
            .formatted(module, found, known));
  }

  /** Readiness is down; written once until it is up again. */
  public void notReady(Throwable cause) {
    log.warning(
        either("OBX0063", "IBX0163"),
        "This node is not ready because the %s's database %s or takes no writes: %s. Each health check tries again; check the database. Reason: %s"
            .formatted(
                module,
                either("failed", "is unavailable"),
                either(
                    "enqueue fails, and messages stay in the table",
                    "deliveries wait or are redelivered"),
                exceptions.chain(cause)));
  }

  public void readyAgain() {
    log.info(
        either("OBX0064", "IBX0164"),
        "This node is ready again: the %s's database takes writes".formatted(module));
  }

  public void finding(String service, String name, String text) {
    log.warning(
        either("OBX0040", "IBX0030"),
        "Guarantee check of %s, %s: %s".formatted(service, name, text));
  }

  public void guaranteeCheckFailed(Throwable cause) {
    log.warning(
        either("OBX0041", "IBX0031"),
        "The guarantee check failed, so no findings are known; the %s repeats it. Check the database. Reason: %s"
            .formatted(either("next poll", "inbox"), exceptions.chain(cause)));
  }

  public void noMetrics(String wanted) {
    log.warning(
        either("OBX0051", "IBX0171"),
        "There are no metrics of the %s: postbox.metrics=%s, and the server gives the application nothing of that kind to write to. Messages are not affected. Check the server's feature, or change the key."
            .formatted(module, wanted));
  }

  public void metricsFailed(Throwable cause) {
    log.warning(
        either("OBX0052", "IBX0172"),
        "The metrics system failed, so metrics of the %s may be missing; this is not said again before the next start. Messages are not affected. Check the versions of its libraries, or choose another with postbox.metrics. Reason: %s"
            .formatted(module, exceptions.chain(cause)));
  }

  public void policySet(String name, String policy, String who, String why) {
    log.info(
        either("OBX0091", "IBX0090"),
        "%s set the policy of %s'%s' in place of the configuration: %s. Reason: %s"
            .formatted(who, either("", "the consumer "), name, policy, why));
  }

  public void policyEnded(String name, String who, String why) {
    log.info(
        either("OBX0092", "IBX0091"),
        "%s ended the policy of %s'%s', and the configuration applies again: %s"
            .formatted(who, either("", "the consumer "), name, why));
  }

  public void policiesNotRead(Throwable cause) {
    log.warning(
        either("OBX0093", "IBX0092"),
        "The policies in %s_policy could not be read, so this node goes by those that it read last; messages are %s. It tries again every few seconds. Check the database and the rights on that table. Reason: %s"
            .formatted(module, either("relayed", "handled"), exceptions.chain(cause)));
  }

  public void policiesReadAgain() {
    log.info(
        either("OBX0094", "IBX0093"),
        "This node reads the policies in %s_policy again".formatted(module));
  }

  public void eventsAreDropped(int waiting) {
    log.warning(
        either("OBX0036", "IBX0083"),
        "%s events wait for observers that are too slow, so the %s drops further events; messages are not affected. Make the observers faster"
            .formatted(waiting, module));
  }

  public void eventsAreTakenAgain(long dropped) {
    log.info(
        either("OBX0037", "IBX0084"),
        "Observers have caught up; the %s had dropped %s events".formatted(module, dropped));
  }

  /** An observer failed; written once a minute at most. */
  public void observerFailed(long failures, Throwable cause) {
    log.warning(
        either("OBX0038", "IBX0085"),
        "An observer of the %s's events failed, %s times since this line was last written; messages are not affected. Reason: %s"
            .formatted(module, failures, exceptions.chain(cause)),
        cause);
  }

  /** An operator started an action. The subject says so if not all messages were counted. */
  public void actionStarted(OperatorAction action) {
    log.info(
        either("OBX0074", "IBX0072"),
        "%s started the action %s, which goes on in the background: %s of %s messages (%s): %s"
            .formatted(
                action.principal(),
                action.id(),
                action.kind(),
                action.total(),
                action.subject(),
                action.reason()));
  }

  /**
   * An operator paused, resumed or cancelled an action.
   *
   * @param how which of these
   */
  public void actionChanged(OperatorAction action, String how, String who, String why) {
    log.info(
        either("OBX0075", "IBX0073"),
        "%s %s the action %s (%s) after %s of %s messages (%s): %s"
            .formatted(
                who,
                how,
                action.id(),
                action.kind(),
                action.done(),
                action.total(),
                action.subject(),
                why));
  }

  public void actionStopped(OperatorAction action) {
    log.warning(
        either("OBX0076", "IBX0074"),
        "The action %s (%s) of %s is %s after %s of %s messages (%s); those are done, the others are as they were. Resume or cancel it. Reason: %s"
            .formatted(
                action.id(),
                action.kind(),
                action.principal(),
                action.state(),
                action.done(),
                action.total(),
                action.subject(),
                action.note()));
  }

  /**
   * A step failed, or the look for one.
   *
   * @param action whose step failed; empty if the look failed
   */
  public void stepFailed(Optional<UUID> action, Throwable cause) {
    String what =
        action
            .map(
                id ->
                    "A step of the operators' action %s failed and was rolled back; it is repeated, on this node or another, and no message is %s twice. If the database answers and refuses it again and again, the action fails."
                        .formatted(id, either("changed", "counted")))
            .orElse(
                "The look for operators' actions failed; it is repeated, and actions that run go on"
                    + " then.");
    log.warning(
        either("OBX0077", "IBX0075"),
        "%s Check the database. Reason: %s".formatted(what, exceptions.chain(cause)));
  }

  public void erased(OperatorAction action) {
    log.info(
        either("OBX0095", "IBX0213"),
        "%s erased %s rows of the %s (%s): %s. Ids stay; logs, the broker and backups are not reached."
            .formatted(
                action.principal(), action.done(), module, action.subject(), action.reason()));
  }
}
