package io.postbox.inbox;

import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An aggregate of which later versions wait for one that a consumer with {@code order=version} has
 * not handled.
 *
 * @param consumer the consumer's name
 * @param aggregateType the aggregate's type
 * @param aggregateId the aggregate's id
 * @param lastHandled the version that was handled last; one less than the first version if none was
 * @param firstWaiting the lowest version that waits
 * @param missing the versions between these two, without those that an operator has discarded; up
 *     to 1,000 ranges, the lowest first
 * @param waiting how many messages wait
 * @param missingSince since when the next version is missing, by the database's clock: when the
 *     version before it was handled, or the first later one came
 * @param kept the rows of parked messages with missing versions, up to 100, for {@link
 *     ParkedMessages#get}: they were parked for another reason
 * @param here the missing versions that have arrived and wait to be handled, up to 100: nobody has
 *     to look for them at the sender
 */
public record VersionGap(
    String consumer,
    String aggregateType,
    String aggregateId,
    long lastHandled,
    long firstWaiting,
    List<Versions> missing,
    long waiting,
    Instant missingSince,
    List<Long> kept,
    List<Here> here)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Keeps copies. */
  public VersionGap {
    missing = List.copyOf(missing);
    kept = List.copyOf(kept);
    here = List.copyOf(here);
  }

  /**
   * A missing version that has arrived.
   *
   * @param version which one
   * @param messageId the message's id, for {@link MessageLookup}
   * @param why its handling is still to come: a {@link FoundMessage.Status}, such as {@code HELD}
   *     or {@code HANDED_BACK}, or {@code FAILING}, if its handler has failed and it is to be
   *     redelivered, or was to be within the last hour
   */
  public record Here(long version, String messageId, String why) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Readable, for instance {@code 3 (HELD)}. */
    @Override
    public String toString() {
      return version + " (" + why + ")";
    }
  }

  /**
   * Whether the inbox has the message of a missing version, parked or on its way to its handler.
   */
  public boolean isAnyHere() {
    return !kept.isEmpty() || !here.isEmpty();
  }

  /**
   * Versions one after the other.
   *
   * @param from the first
   * @param to the last
   */
  public record Versions(long from, long to) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Readable, for instance {@code 3} or {@code 5 to 7}. */
    @Override
    public String toString() {
      return from == to ? String.valueOf(from) : from + " to " + to;
    }
  }

  /** The missing versions, readable, for instance {@code 3, 5 to 7}. */
  public String missingVersions() {
    return missing.stream().map(Versions::toString).collect(Collectors.joining(", "));
  }
}
