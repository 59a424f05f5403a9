package io.postbox.testkit.model;

/**
 * The promises that a scenario relaxes.
 *
 * @param quota how much may be kept aside
 * @param isForgetful whether ids may be forgotten before the end, because the retention is short
 */
public record Terms(Quota quota, boolean isForgetful) {
  /** Nobody tries to fill the tables, and all ids are remembered. */
  public static final Terms USUAL = new Terms(Quota.NONE, false);
}
