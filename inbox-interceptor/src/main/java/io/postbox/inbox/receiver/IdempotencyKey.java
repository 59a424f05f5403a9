package io.postbox.inbox.receiver;

import io.postbox.inbox.message.DerivedUuid;

/** Makes the keys that {@link io.postbox.inbox.InboxContext#idempotencyKey} promises. */
final class IdempotencyKey {
  private IdempotencyKey() {}

  static String of(String service, String consumer, String messageId, String effect) {
    return DerivedUuid.of(service, consumer, messageId, effect).toString();
  }
}
