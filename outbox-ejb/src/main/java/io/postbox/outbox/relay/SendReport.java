package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import java.util.List;
import java.util.Map;

/**
 * What became of a batch. A message that is in none of these was not tried, or its destination is
 * at fault: it stays as it is.
 *
 * @param sent handed over; the broker has committed
 * @param rejected at fault themselves, and why
 * @param suspects failed alone, and nothing else got through to their destination: either may be at
 *     fault
 * @param faulty destinations at fault, and why
 */
record SendReport(
    List<StoredMessage> sent,
    Map<StoredMessage, String> rejected,
    Map<StoredMessage, String> suspects,
    Map<String, String> faulty) {

  SendReport {
    sent = List.copyOf(sent);
    rejected = Map.copyOf(rejected);
    suspects = Map.copyOf(suspects);
    faulty = Map.copyOf(faulty);
  }
}
