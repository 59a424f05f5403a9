package io.postbox.inbox;

import io.postbox.common.PlanToken;
import java.io.Serializable;
import java.util.List;

/**
 * The gaps that a skip would close. {@link VersionGaps#plan} makes it. It is valid once, for the
 * same principal, on any node, within an hour. What counts is what the inbox has on record: a plan
 * that the application has constructed is refused. Immutable and thread-safe.
 *
 * @param token names the plan
 * @param filter selects the gaps
 * @param gaps the gaps, up to 1,000 of them; fewer if they have very many missing versions
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
