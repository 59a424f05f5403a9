package io.postbox.inbox.guard;

import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Quarantined;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A ledger in memory, which counts how often it is asked. */
final class FakeLedger implements Ledger {
  final Map<String, Fingerprint> remembered = new HashMap<>();
  final List<Quarantined> quarantined = new ArrayList<>();
  int statements;

  @Override
  public boolean insertIfAbsent(Delivery delivery, String messageId) {
    statements++;
    return remembered.putIfAbsent(delivery.consumer() + "/" + messageId, delivery.fingerprint())
        == null;
  }

  @Override
  public Optional<Fingerprint> fingerprintOf(String consumer, String messageId) {
    statements++;
    return Optional.ofNullable(remembered.get(consumer + "/" + messageId));
  }

  @Override
  public void quarantine(Quarantined delivery) {
    statements++;
    quarantined.add(delivery);
  }
}
