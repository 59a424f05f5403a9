package io.postbox.outbox;

import io.postbox.common.PlanToken;
import io.postbox.common.RedrivePace;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The letters that a redrive or discard would touch, and the rate of the redrive. {@link
 * DeadLetters#plan} makes it, and keeps it on record. It is valid for one redrive or discard by the
 * same principal, on any node, within an hour. What counts is the record: a plan that the
 * application has constructed is refused, and nothing that it has changed has an effect but {@link
 * #atRate}. Immutable and thread-safe.
 *
 * @param token names the plan
 * @param filter selects the letters
 * @param asOf only those that were dead at this time, by the database's clock
 * @param perSecond how many letters of a redrive become due each second, 1 to 1,000,000
 * @param destinations the letters by destination; destinations without any are left out
 */
public record DeadLetterPlan(
    PlanToken token,
    DeadLetterFilter filter,
    Instant asOf,
    int perSecond,
    List<ForDestination> destinations)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The most messages behind the letters of a destination that a plan counts. */
  public static final long MOST_FOLLOWERS = 100_000;

  /** The rate unless another one is asked for. */
  public static final int DEFAULT_RATE = 500;

  /** Checks the rate and keeps a copy. */
  public DeadLetterPlan {
    destinations = List.copyOf(destinations);
    RedrivePace.checkRate(perSecond);
  }

  /**
   * The letters for one destination.
   *
   * @param destination the logical name
   * @param letters their number
   * @param orderingKeys how many ordering keys they have; letters without one are not counted
   * @param followers how many messages wait behind them
   * @param expired how many letters are past their time limit, which a redrive lifts; an operator
   *     has to decide whether they are still worth sending
   * @param oldest when the first of the letters was enqueued
   * @param newest when the last of the letters was enqueued
   */
  public record ForDestination(
      String destination,
      long letters,
      long orderingKeys,
      long followers,
      long expired,
      Instant oldest,
      Instant newest)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Whether not all messages behind them were counted: there are at least so many. */
    public boolean estimated() {
      return followers >= MOST_FOLLOWERS;
    }
  }

  /** A copy with another rate. */
  public DeadLetterPlan atRate(int lettersPerSecond) {
    return new DeadLetterPlan(token, filter, asOf, lettersPerSecond, destinations);
  }

  /** How many letters. */
  public long letters() {
    return destinations.stream().mapToLong(ForDestination::letters).sum();
  }

  /** Whether so many messages wait behind them that not all were counted: at least so many do. */
  public boolean estimated() {
    return destinations.stream().anyMatch(ForDestination::estimated);
  }

  /** How many messages wait behind them; the least number if it is {@link #estimated()}. */
  public long followers() {
    return destinations.stream().mapToLong(ForDestination::followers).sum();
  }

  /** How many letters are past their time limit, which a redrive lifts. */
  public long expired() {
    return destinations.stream().mapToLong(ForDestination::expired).sum();
  }

  /** How long a redrive would take until the last letter is due. */
  public Duration takes() {
    return Duration.ofSeconds((letters() + perSecond - 1) / perSecond);
  }
}
