package io.postbox.outbox.relay;

/** Bugs in the simulation's own parts, to see that its checker would find them. */
enum SimulationBug {
  /** The lock of a partition keeps nobody out. */
  CLAIM_WITHOUT_LOCK,
  /** The read is as old as the claim's statement, which may have begun before it was granted. */
  ONE_SNAPSHOT_FOR_CLAIM_AND_READ,
  /** The messages of a lane are not read in their order. */
  READ_IN_ANOTHER_ORDER,
  /** Followers that go back to work are not counted. */
  RELEASE_WITHOUT_PUT_BACK,
  /** A read begins behind all that was ever read, whatever stayed behind. */
  FLOOR_NEVER_RESET,
  /** The key of a failed message is not noted. */
  KEYS_NOT_HELD,
  /** While a key drains, nobody waits for those that have not gone back to work yet. */
  DRAINING_FORGOTTEN,
  /** A decision about a dead letter puts all others of its key to work. */
  ALL_LETTERS_OF_A_KEY_WAIT_AGAIN,
  /** Dead letters that died with the one that is redriven or discarded hold nobody. */
  LETTERS_DO_NOT_WAIT_AGAIN,
  /** A destination's failure is taken for the message's. */
  OUTAGE_COUNTS_ATTEMPTS,
  /** No commit wakes the relay, and nobody looks. */
  NO_WAKE_UP_AND_NO_LOOK,
  /** Whenever the timer asks what is due, the relay polls. */
  POLLS_FOR_WHATEVER_IS_DUE,
  /** Nobody is told when the next delayed message is due. */
  NEXT_DUE_UNTOLD,
  /** Messages are done before they are sent. */
  COMPLETED_BEFORE_SENT,
  /** Of a batch for several destinations the broker commits what goes to the first. */
  SHARED_SEND_TORN
}
