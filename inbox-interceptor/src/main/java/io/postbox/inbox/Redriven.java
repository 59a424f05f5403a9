package io.postbox.inbox;

import java.util.List;

/**
 * The result of a redrive.
 *
 * @param messages how many were sent, and are no longer kept aside
 * @param refused how many could not be sent, and are kept aside still
 * @param refusals which, and why: the first 100 of them
 */
public record Redriven(long messages, long refused, List<Refusal> refusals) {
  /** Keeps a copy. */
  public Redriven {
    refusals = List.copyOf(refusals);
  }

  /**
   * A message that could not be sent.
   *
   * @param id of its row
   * @param reason why, for a person
   */
  public record Refusal(long id, String reason) {}
}
