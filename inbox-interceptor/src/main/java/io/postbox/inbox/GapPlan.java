package io.postbox.inbox;

import io.postbox.common.PlanToken;
import java.io.Serializable;
import java.util.List;

/**
 * The gaps that a skip would close. {@link VersionGaps#plan} makes it. It is valid once, for the
 * same principal, on any node, within an hour. The inbox refuses a plan that the application has
 * constructed. Immutable and thread-safe.
 *
 * @param token proves that the inbox made it
 * @param filter selects the gaps
 * @param gaps the gaps, up to 1,000 of them
 */
public record GapPlan(PlanToken token, GapFilter filter, List<VersionGap> gaps)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The most gaps of a plan. */
  public static final int LARGEST = 1_000;

  /** Keeps a copy. */
  public GapPlan {
    gaps = List.copyOf(gaps);
  }
}
