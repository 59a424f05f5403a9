package io.postbox.inbox;

import java.util.List;

/**
 * The result of a redrive.
 *
 * @param messages how many were sent and are no longer kept aside
 * @param refused how many could not be sent and are still kept aside
 * @param refusals the first 100 that could not be sent, and why, in the order of their rows
 */
public record Redriven(long messages, long refused, List<Refusal> refusals) {
  /** Keeps a copy. */
  public Redriven {
    refusals = List.copyOf(refusals);
  }

  /**
   * A message that could not be sent.
   *
   * @param id the id of its row
   * @param reason why, for an operator, in up to 300 characters; with a {@link
   *     io.postbox.common.PayloadCipher} only the exceptions' types if exceptions say why
   */
  public record Refusal(long id, String reason) {}
}
