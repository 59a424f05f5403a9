package io.postbox.common;

import java.util.Optional;
import java.util.UUID;

/**
 * Erases personal data from a module's tables: the contents of messages, and the texts about them,
 * wherever they are. Injectable as the outbox's or the inbox's; thread-safe.
 *
 * <p>Ids stay, so that duplicates of erased messages are still recognised. A message that waits, or
 * that is kept for a person to decide, is discarded at its place: it is not sent or handled any
 * more, never empty, and those behind it go on. {@code docs/personal-data.md} says what is stored
 * where and for how long, and what an erasure does not reach.
 *
 * <p>An erasure runs in the background, as all {@link OperatorActions} do: in steps, each a
 * transaction of its own that also writes the progress; it can be paused, resumed and cancelled
 * there, and survives every node. Its kind is {@code erase}. No method takes part in the caller's
 * transaction. The methods do not check who calls them: put your own security before them. Each
 * throws the module's exception if the database fails.
 *
 * <pre>{@code
 * ErasurePlan plan = erasure.plan(ErasureTarget.dataSubject("customer-4711"));
 * OperatorAction action = erasure.erase(plan.token().id(), "request of 2026-11-25");
 * }</pre>
 */
public interface Erasure {

  /**
   * Counts what an erasure would touch, and changes nothing. Rows are read by an index, in slices
   * of up to 10,000; the places in which no index finds a target's rows are read up to 100,000
   * rows, and {@link ErasurePlan.Found#complete} says so.
   *
   * @throws ErasureRefusedException if the module cannot search for this target: an id that it
   *     cannot have made, or a person while {@code postbox.data-subject-secret} is not set
   */
  ErasurePlan plan(ErasureTarget target);

  /**
   * Starts to erase what a plan selects, which cannot be undone.
   *
   * @param plan the id of one from {@link #plan}, at most an hour old
   * @param reason for the record: 1 to 1,000 characters. Do not name the person in it
   * @return the action
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws IllegalStateException if 100 actions are unfinished; nothing was changed, and the plan
   *     stays valid
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   */
  OperatorAction erase(UUID plan, String reason);

  /**
   * The progress of an erasure; empty if there is none with this id (any more).
   *
   * @param id of the action
   */
  Optional<ErasureReport> report(UUID id);
}
