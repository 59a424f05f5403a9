package io.postbox.benchmark;

/**
 * The settings of the inbox's benchmark, from the build.
 *
 * @param messages in a drain
 * @param ids that are remembered, where these are many
 * @param sessions deliveries of a listener at once
 */
record InboxOptions(int messages, int ids, int sessions) {
  /** Remembered by every other listener with an inbox. */
  static final int FEW_IDS = 1000;

  static InboxOptions read() {
    return new InboxOptions(
        Options.number("inbox.messages"), Options.number("ids"), Options.number("sessions"));
  }
}
